import { definePlugin, serve } from '../sdk/index.ts';
import { commitTool } from './commit-tool.ts';
import { diffTool } from './diff-tool.ts';
import { filtersTool, formsTool } from './form-tools.ts';
import { logTool } from './log-tool.ts';
import { statusTool } from './status-tool.ts';

await serve(definePlugin('git-tool', 1, [statusTool, diffTool, logTool, filtersTool, formsTool, commitTool]));
process.exit(0);
