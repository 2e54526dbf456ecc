import type { ModelCall, ModelMessage } from '../../../contracts/model/model.ts';
import { callWords } from '../../../lib/text/call-words.ts';
import { capText } from '../../../lib/text/cap-text.ts';
import { parseJson } from '../../../lib/parse-json.ts';
import { firstText } from '../../../lib/text/first-last.ts';
import type { ExportBlock } from './export-blocks.ts';

/** Maximum length of a result, whose first line says how the call ended. */
const MAX_OUTCOME = 200;
const END_OF_INHERITED: ExportBlock = { kind: 'note', text: 'The fork begins here' };

/** The conversation that a fork has copied from its original. There are no events for it, so a call has no diff. */
export function inheritedBlocks(messages: readonly ModelMessage[]): readonly ExportBlock[] {
  if (messages.length === 0) return [];
  const titles = new Map<string, string>();
  const blocks = messages.flatMap((message): readonly ExportBlock[] => {
    switch (message.role) {
      case 'user':
        return [{ kind: 'user', text: message.text }];
      case 'assistant':
        for (const call of message.calls) titles.set(call.call_id, titleOf(call));
        return message.text.trim() === '' ? [] : [{ kind: 'model', text: message.text }];
      case 'tool':
        return message.results.map(({ call_id, ok, content }) => ({
          kind: 'call',
          ok,
          title: titles.get(call_id) ?? 'a call',
          outcome: capText(firstText(content.trim().split('\n')), MAX_OUTCOME),
          diff: null,
        }));
    }
  });
  return [...blocks, END_OF_INHERITED];
}

function titleOf({ tool, arguments: json }: ModelCall): string {
  return `${tool} ${callWords({ input: parseJson(json) })}`.trim();
}
