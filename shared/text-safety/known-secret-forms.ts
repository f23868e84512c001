/** Anything that holds a secret; the configuration's Secret is one. */
export interface Revealable {
  reveal(): string;
}

// A shorter value (a port, a user name) would mask ordinary words.
const SHORTEST_SECRET = 6;

/**
 * The spellings under which a known secret can appear, longest first: as it is, trimmed, in JSON, in a URL, and
 * in base64 and base64url at each of the three alignments it can have inside a longer encoded text, e.g.
 * `Basic base64(user:secret)`.
 */
export function knownSecretForms(secrets: readonly Revealable[]): string[] {
  const forms = new Set<string>();
  for (const secret of secrets) {
    const value = secret.reveal().trim();
    if (value.length < SHORTEST_SECRET) continue;
    const spellings = [
      value,
      JSON.stringify(value).slice(1, -1),
      percentEncoded(value),
      ...base64Forms(value),
    ];
    for (const form of spellings) forms.add(form);
  }
  return [...forms].filter((form) => form.length >= SHORTEST_SECRET).toSorted((a, b) => b.length - a.length);
}

function percentEncoded(value: string): string {
  return encodeURIComponent(value.toWellFormed());
}

function base64Forms(value: string): string[] {
  const bytes = Buffer.from(value, 'utf8');
  const aligned = [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    // The first and the last character may share their bits with the neighbours.
    const first = Math.ceil((offset * 8) / 6);
    const last = Math.floor(((offset + bytes.length) * 8) / 6);
    return encoded.slice(first, last);
  });
  // On its own the value is encoded with its end and padding.
  return [...aligned, bytes.toString('base64'), bytes.toString('base64').replace(/=+$/, '')].flatMap(
    (form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')],
  );
}
