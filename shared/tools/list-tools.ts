import type { AnyTool } from './define-tool.ts';
import { decide, isPassingRefusal, type GateTarget, type GateUsage } from './gate.ts';
import { TOOLS } from './registry.ts';
import type { Grant } from './tool.ts';

/**
 * The tools a caller is shown: those the same gate would let pass, and those it refuses only for now (stopped
 * writes, a spent budget). A tool that is not listed is refused all the same when it is called.
 */
export function listTools(
  grant: Grant,
  target: GateTarget,
  usage: GateUsage,
  tools: readonly AnyTool[] = TOOLS,
): AnyTool[] {
  return tools.filter((tool) => {
    const decision = decide(tool, grant, target, usage);
    return decision.kind === 'allow' || isPassingRefusal(decision.code);
  });
}
