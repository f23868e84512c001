import type { z } from 'zod';
import type { Tool } from './tool.ts';

/** A tool with its types forgotten, so that tools of many shapes stand in one registry. */
export type AnyTool = Tool;

/**
 * Declares one tool. The handler's types are checked here against its schemas; invokeTool parses every input
 * with the same schema before it reaches `facts` or `handler`, which is what makes forgetting the types sound.
 */
export function defineTool<Input extends z.ZodType, Output extends z.ZodType>(
  tool: Tool<Input, Output>,
): AnyTool {
  return tool;
}
