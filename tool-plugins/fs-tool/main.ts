import { definePlugin, serve } from '../sdk/index.ts';
import { editTool, writeTool } from './patch-tools.ts';
import { deleteTool, moveTool } from './workspace-tools.ts';

await serve(definePlugin('fs-tool', 1, [writeTool, editTool, deleteTool, moveTool]));
process.exit(0);
