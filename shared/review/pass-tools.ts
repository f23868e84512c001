import { invokeTool } from '../tools/invoke-tool.ts';
import { TOOLS } from '../tools/registry.ts';
import type { ToolContext } from '../tools/tool.ts';
import { inputJsonSchema } from '../tools/tool-schema.ts';
import type { PassTools } from './run-pass.ts';

/** What a pass may call. All of them read; the grant of the context allows nothing else either. */
const PASS_TOOLS: ReadonlySet<string> = new Set(['get_diff', 'read_file', 'search_code', 'list_files']);

/** The reading tools over one run, in the registry's order so that every request lists the same bytes. */
export function createPassTools(context: ToolContext): PassTools {
  const tools = TOOLS.filter(({ name }) => PASS_TOOLS.has(name));
  const listed = tools.map((tool) => ({
    name: tool.name,
    description: tool.description,
    input_schema: inputJsonSchema(tool),
  }));
  return {
    list: () => listed,
    async invoke(name, args) {
      const result = await invokeTool(context, name, args, tools);
      return result.ok
        ? { content: result.content, isError: false }
        : { content: `${result.code}: ${result.message}`, isError: true };
    },
  };
}
