import { z } from 'zod';
import { EXEMPTION_CATEGORIES } from '../../contracts/review/exemption-categories.ts';
import { pathField, reasonField } from './shared/input-fields.ts';
import { KERNEL } from './plugins.ts';
import { defineTool } from './tool.ts';

export const requestExemption = defineTool({
  name: 'workflow.request_exemption',
  description:
    'Ask to change documentation, configuration, type declarations or assets alone, without a test first. Then only the named paths can be written.',
  input: z.strictObject({
    category: z.enum(EXEMPTION_CATEGORIES),
    affected_paths: z.array(pathField).min(1).max(200),
    reason: reasonField,
  }),
  foreign: { names: { affected_paths: ['paths', 'files', 'path'], reason: ['justification', 'explanation'] } },
  place: 'kernel',
  effect: 'workflow',
  plugin: KERNEL,
  states: ['planning', 'test_writing'],
  opens: 'An exemption can be requested before the source is opened.',
  paths: ({ affected_paths }) => affected_paths,
  describe: ({ category, affected_paths }) => `${category} ${affected_paths.join(' ')}`,
  perform: ({ category, reason }, context) => context.workflow.requestExemption(category, reason),
});
