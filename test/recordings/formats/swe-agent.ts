import type { RecordedMessage } from '../conversation.ts';
import { jsonOf, listOf, recordOf, textOf } from '../loose-json.ts';
import type { Loose } from '../loose-json.ts';
import { vendorMessage } from '../vendor-message.ts';
import type { RecordingFormat } from './format.ts';

/** Trajectories of SWE-agent: with function calls in `history`, or with one command a step in `trajectory`. */
export const sweAgent: RecordingFormat = {
  name: 'SWE-agent',
  endings: ['.traj', '.traj.json'],
  read: (text) => {
    const file = recordOf(jsonOf(text));
    const history = listOf(file['history'] ?? file['messages']).map(vendorMessage);
    if (history.some(({ calls }) => calls.length > 0)) return [history];
    const steps = listOf(file['trajectory']).map(recordOf);
    const task = history.filter(({ role }) => role === 'user').slice(0, 1);
    return steps.length === 0 ? [] : [[...task, ...steps.flatMap(messagesOfStep)]];
  },
};

function messagesOfStep(step: Loose, index: number): readonly RecordedMessage[] {
  const id = `step_${index}`;
  const command = textOf(step['action']);
  return [
    {
      role: 'assistant',
      text: textOf(step['thought']),
      calls: command.trim() === '' ? [] : [{ id, tool: 'command', arguments: JSON.stringify({ command }) }],
      results: [],
    },
    { role: 'other', text: '', calls: [], results: [{ id, text: textOf(step['observation']), failed: false }] },
  ];
}
