import { z } from 'zod';

const id = z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'lower-case words joined by hyphens');
const globs = z.array(z.string().min(1).max(500)).min(1).max(50);

/** `pack.yaml`: what a pack is and where it applies. */
export const PackManifest = z.strictObject({
  id,
  version: z.string().regex(/^\d+\.\d+\.\d+$/, 'three numbers, as 1.0.0'),
  kind: z.enum(['baseline', 'stack']),
  description: z.string().min(1).max(300),
  /** Globs over changed paths; a pack no changed file matches is not used. */
  appliesTo: globs,
});
export type PackManifest = z.infer<typeof PackManifest>;

/** Front matter of one Markdown file; `applyTo` and `paths` mean `applies_to`. */
export const SkillFrontMatter = z.strictObject({
  name: id,
  description: z.string().min(1).max(300),
  applies_to: globs,
});

/** One Markdown file of a pack: what to look for, what not to report, an example. */
export interface RuleSkill {
  readonly name: string;
  readonly description: string;
  readonly appliesTo: readonly string[];
  /** Markdown without its front matter, trimmed, line feeds only. */
  readonly text: string;
}

export interface RulePack extends PackManifest {
  /** Sorted by name. */
  readonly skills: readonly RuleSkill[];
}
