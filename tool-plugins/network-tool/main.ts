import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { IN_L2 } from '../../src/contracts/sandbox/container-paths.ts';
import { ROUTES_FILE, routesSchema } from '../../src/contracts/sandbox/test-network.ts';
import { definePlugin, serve } from '../sdk/index.ts';
import { networkReadyTool } from './network-ready.ts';
import { openRoutes } from './open-routes.ts';

const routes = await readFile(join(dirname(IN_L2.egressSocket), ROUTES_FILE), 'utf8');
await openRoutes(routesSchema.parse(JSON.parse(routes)), IN_L2.egressSocket);
await serve(definePlugin('network-tool', 1, [networkReadyTool]));
process.exit(0);
