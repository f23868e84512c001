import type { HiddenTextKind } from './hidden-text-kind.ts';
import { stripImageTexts } from './strip-image-texts.ts';
import { stripLinkDefinitions } from './strip-link-definitions.ts';
import { stripTagAttributes } from './strip-tag-attributes.ts';

type Count = (kind: HiddenTextKind) => void;

// `[text](address "title")`: the address is shown on hover, the title only sometimes.
const LINK_TITLE =
  /(\]\((?:<[^<>\n]*>|(?:[^\s()<>]|\([^\s()<>]*\))+))\s+(?:"[^"]*"|'[^']*'|\([^()]*\))(?=\s*\))/g;

// Taking something away can turn its surroundings into something hidden; honest text is done after two rounds.
const MAX_ROUNDS = 8;

/**
 * Removes what a Markdown renderer does not show: HTML comments, declarations and processing instructions, hidden
 * attributes, link definitions, unused footnotes, texts of images and titles of links. An unclosed comment hides
 * the rest of a document and is removed to its end. Text that still hides something after several rounds was built
 * to and loses its brackets.
 */
export function stripHiddenMarkup(text: string, count: Count): string {
  let current = text;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const next = stripOnce(current, count);
    if (next === current) return current;
    current = next;
  }
  return current.replace(/[<[\]]/g, ' ');
}

function stripOnce(text: string, count: Count): string {
  const withoutTags = stripTagAttributes(stripComments(text, count), count);
  const { text: withoutDefinitions, labels } = stripLinkDefinitions(withoutTags, count);
  return stripImageTexts(withoutDefinitions, labels, count).replace(LINK_TITLE, (_match, link: string) => {
    count('link-title');
    return link;
  });
}

// Opening of something no browser draws, with what closes it: https://spec.commonmark.org/0.31.2/#html-blocks
const OPENING = /<!--|<!\[CDATA\[|<\?|<![a-zA-Z]/g;

function closingOf(opening: string): RegExp {
  if (opening === '<!--') return /--!?>/g;
  if (opening === '<?') return /\?>/g;
  return opening === '<![CDATA[' ? /\]\]>/g : />/g;
}

/** The place of a comment becomes one space, so that its neighbours cannot join into another one. */
function stripComments(text: string, count: Count): string {
  const kept: string[] = [];
  let from = 0;
  const opening = new RegExp(OPENING);
  for (let open = opening.exec(text); open !== null; open = opening.exec(text)) {
    count('html-comment');
    kept.push(text.slice(from, open.index));
    const closing = closingOf(open[0]);
    // `<!-->` is a complete comment, so the dashes that open may close as well.
    closing.lastIndex = open.index + (open[0] === '<!--' ? 2 : open[0].length);
    if (closing.exec(text) === null) return kept.join(' ');
    from = closing.lastIndex;
    opening.lastIndex = from;
  }
  return [...kept, text.slice(from)].join(' ');
}
