import { definePlugin, serve } from '../sdk/index.ts';
import { shellRunTool } from './run-tool.ts';

await serve(definePlugin('shell-tool', 1, [shellRunTool]));
process.exit(0);
