import type { HiddenTextKind } from './hidden-text-kind.ts';

// CSI (colours, cursor), then OSC/DCS/PM/APC strings up to their terminator on the same line (titles, links),
// then two-character escapes. https://www.ecma-international.org/publications-and-standards/standards/ecma-48/
const ANSI_ESCAPE =
  // oxlint-disable-next-line no-control-regex
  /(?:\u001B\[|\u009B)[0-?]{0,64}[ -/]{0,8}[@-~]|(?:\u001B[\]PX^_]|[\u009D\u0090\u0098\u009E\u009F])[^\u0007\u001B\u0080-\u009F\n]{0,4096}(?:\u0007|\u001B\\|\u009C)|\u001B[ -/]{0,8}[0-Z\\^-~]/g;

const BIDI_CONTROL = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;
const TAG_CHARACTER = /[\u{E0000}-\u{E007F}]/u;
const VARIATION_SELECTOR = /[\u180B-\u180D\u180F\uFE00-\uFE0F\u{E0100}-\u{E01EF}]/u;
const CONTROL_CHARACTER = /[\p{Cc}\uFFF9-\uFFFB]/u;

// Everything that draws nothing: format characters, fillers that count as letters, blanks and control
// characters. An emoji presentation selector right after its base is ordinary text; elsewhere selectors
// can carry a hidden byte each.
const HIDDEN_CHARACTER =
  /(?<!\p{Extended_Pictographic}|[0-9#*](?=\uFE0F\u20E3))\uFE0F|(?!\uFE0F|[\t\n\r])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u{1D159}\u{1D173}-\u{1D17A}\u2800]/gu;

/** Removes characters that draw nothing, reporting the kind of each. Tab, line feed and carriage return stay. */
export function stripHiddenCharacters(text: string, count: (kind: HiddenTextKind) => void): string {
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  if (start === 1) count('byte-order-mark');
  return (
    text
      .slice(start)
      // First, since two halves must not meet and become a character that was not there.
      .replace(/\p{Cs}/gu, () => {
        count('control-character');
        return '';
      })
      .replace(ANSI_ESCAPE, () => {
        count('ansi-escape');
        return '';
      })
      .replace(HIDDEN_CHARACTER, (character) => {
        count(kindOf(character));
        return '';
      })
  );
}

function kindOf(character: string): HiddenTextKind {
  if (BIDI_CONTROL.test(character)) return 'bidi-control';
  if (TAG_CHARACTER.test(character)) return 'tag-character';
  if (VARIATION_SELECTOR.test(character)) return 'variation-selector';
  return CONTROL_CHARACTER.test(character) ? 'control-character' : 'zero-width';
}
