import type { AnyTool } from './define-tool.ts';
import type { ToolContext } from './tool.ts';
import type { ToolResult } from './tool-result.ts';
import { createReadMasker } from './write-text.ts';

/**
 * The answer as it leaves: checked against the tool's own schema, the secrets of this process masked wherever they
 * stand. Secrets that the pull request itself contains stay, since finding them is part of a review; they are
 * masked in everything that is written.
 */
export function sanitiseOutput(context: ToolContext, tool: AnyTool, output: unknown): ToolResult {
  const masked = maskDeep(tool.output.parse(output), createReadMasker(context));
  return { ok: true, output: masked, content: tool.render?.(masked) ?? JSON.stringify(masked) };
}

function maskDeep(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((item) => maskDeep(item, mask));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, maskDeep(item, mask)]));
}
