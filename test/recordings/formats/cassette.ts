import { parse } from 'yaml';
import { jsonOf, listOf, recordOf, textOf } from '../loose-json.ts';
import type { Loose } from '../loose-json.ts';
import { vendorMessage } from '../vendor-message.ts';
import type { RecordingFormat } from './format.ts';

/** One request that was recorded on its way to a vendor, and the answer. */
export interface Interaction {
  readonly url: string;
  readonly request: Loose;
  readonly status: number;
  readonly answer: string;
}

/** Interactions of go-vcr: crush and fantasy record what they send to vendors and what comes back. */
export function interactionsOf(text: string): readonly Interaction[] {
  if (!text.includes('\ninteractions:')) return [];
  return listOf(recordOf(parse(text))['interactions']).map((each) => {
    const { request, response } = recordOf(each);
    const [asked, answered] = [recordOf(request), recordOf(response)];
    return {
      url: textOf(asked['url']),
      request: recordOf(jsonOf(textOf(asked['body']))),
      status: Number(answered['code']),
      answer: textOf(answered['body']),
    };
  });
}

/** The conversation is what the longest request carries. */
export const cassette: RecordingFormat = {
  name: 'cassette',
  endings: ['.yaml'],
  read: (text) => {
    const histories = interactionsOf(text).map(({ request }) =>
      listOf(request['messages'] ?? request['contents']).map(vendorMessage),
    );
    const [longest = []] = histories.toSorted((a, b) => b.length - a.length);
    return longest.some(({ calls }) => calls.length > 0) ? [longest] : [];
  },
};
