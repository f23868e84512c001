/** Collects inline Markdown so that the code spans in it stay the code spans that were meant. */
export class InlineWriter {
  readonly #parts: string[] = [];
  #last: 'text' | 'span' | 'backslash' = 'text';
  /** The last characters since white space; enough to see an address begin. */
  #tail = '';
  #inAddress = false;

  /** True where a new word may begin whatever stands before: after a code span, and wherever a link may end. */
  get endsWord(): boolean {
    return this.#last === 'span' || this.#inAddress;
  }

  /** Text as it is. A lone backslash must come as a part of its own. */
  text(part: string): void {
    if (this.#inAddress && part.startsWith('\\')) this.#leaveAddress();
    this.#parts.push(part);
    this.#last = part === '\\' ? 'backslash' : 'text';
    const sinceSpace = /\S*$/.exec(part)?.[0] ?? '';
    if (sinceSpace.length < part.length) this.#startWord();
    this.#tail += sinceSpace;
    this.#inAddress ||= /:\/\/|www\./i.test(this.#tail);
    this.#tail = this.#tail.slice(-3);
  }

  /** A code span with its backticks. */
  span(part: string): void {
    // Touching spans would merge into one longer run of backticks, and a backslash would escape the first.
    if (this.#inAddress) this.#leaveAddress();
    else if (this.#last === 'span') this.#parts.push(' ');
    else if (this.#last === 'backslash') this.#parts.push('\\');
    this.#parts.push(part);
    this.#last = 'span';
    this.#startWord();
  }

  /** Text without backticks as a code span. */
  code(text: string): void {
    this.span(`\`${text}\``);
  }

  finish(): string {
    return this.#parts.join('');
  }

  // A link takes everything up to white space along, also what should escape or quote what follows.
  #leaveAddress(): void {
    this.#parts.push(' ');
    this.#startWord();
  }

  #startWord(): void {
    this.#tail = '';
    this.#inAddress = false;
  }
}
