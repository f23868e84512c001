import { fenceUntrusted } from '../text-safety/fence.ts';
import type { AnyTool } from './define-tool.ts';
import type { ToolContext } from './tool.ts';
import type { ToolResult } from './tool-result.ts';
import { createReadMasker } from './write-text.ts';

/** More than any tool answers; every tool bounds itself and says what it cut. */
const MAX_CONTENT = 400_000;

/**
 * The answer as it leaves: checked against the tool's own schema, the secrets of this process masked wherever they
 * stand, and the text a model reads fenced when others wrote it.
 */
export function sanitiseOutput(context: ToolContext, tool: AnyTool, output: unknown): ToolResult {
  const masked = maskDeep(tool.output.parse(output), createReadMasker(context));
  const text = tool.render?.(masked) ?? JSON.stringify(masked);
  if (tool.showsUntrusted !== true) return { ok: true, output: masked, content: text };
  const { random } = context;
  const fenced = fenceUntrusted({ text, label: tool.name, form: 'code', maxLength: MAX_CONTENT, random });
  return { ok: true, output: masked, content: fenced.text };
}

function maskDeep(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((item) => maskDeep(item, mask));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, maskDeep(item, mask)]));
}
