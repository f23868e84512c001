import { z } from 'zod';
import type { Tool } from './tool.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * A tool's input as JSON Schema for models and MCP clients: one object, nothing besides its own fields.
 * Unions and intersections at the top are refused with it: several clients drop or mistranslate such schemas.
 * @throws Error for a schema that is no plain strict object: a mistake in a tool, found by the test over all tools.
 */
export function inputJsonSchema(tool: Pick<Tool, 'name' | 'input'>): JsonSchema {
  return strictObjectSchema(tool.name, tool.input, 'input');
}

/** The same for what a tool answers. */
export function outputJsonSchema(tool: Pick<Tool, 'name' | 'output'>): JsonSchema {
  return strictObjectSchema(tool.name, tool.output, 'output');
}

function strictObjectSchema(name: string, schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { target: 'draft-7', io });
  if (json.type !== 'object' || json.additionalProperties !== false)
    throw new Error(`The ${io} schema of ${name} must be one strict object.`);
  return json;
}

/** How many problems one refusal names. */
const MAX_PROBLEMS = 6;

/** What is wrong with an input and what is expected, without repeating any value the caller sent. */
export function describeProblems(error: z.ZodError): string {
  const shown = error.issues.slice(0, MAX_PROBLEMS).map(describeIssue);
  const rest = error.issues.length - shown.length;
  return `${shown.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}.`;
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const place = issue.path.length === 0 ? '' : `${issue.path.map(String).join('.')}: `;
  // The names of unknown fields are the caller's text; only their number is said.
  if (issue.code === 'unrecognized_keys')
    return `${place}${issue.keys.length === 1 ? 'one unknown field' : `${issue.keys.length} unknown fields`}; only the fields of the schema are allowed`;
  return `${place}${issue.message}`;
}
