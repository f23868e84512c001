/** What can be hidden from a person and still reach a model. */
export type HiddenTextKind =
  | 'html-comment'
  | 'markdown-comment'
  | 'hidden-attribute'
  | 'image-alt'
  | 'link-title'
  | 'zero-width'
  | 'bidi-control'
  | 'tag-character'
  | 'variation-selector'
  | 'ansi-escape'
  | 'control-character'
  | 'byte-order-mark';
