import { definePlugin, serve } from '../sdk/index.ts';
import { writeTool } from './patch-tools.ts';
import { deleteTool, moveTool, patchTool } from './workspace-tools.ts';

await serve(definePlugin('fs-tool', 1, [writeTool, deleteTool, moveTool, patchTool]));
process.exit(0);
