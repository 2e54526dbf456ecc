import { Box, Static, useInput, useWindowSize } from 'ink';
import TextInput from 'ink-text-input';
import { useCallback, useRef, useState, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { readKeys } from '../keymap/read-keys.ts';
import type { KeyAction } from '../keymap/key-action.ts';
import type { PickerList } from '../panel/panel.ts';
import type { SetUpLine, SetUpSteps } from '../setup/set-up-steps.ts';
import type { SafeText } from '../store/safe-text.ts';
import { hangingRows } from '../text/hanging-rows.ts';
import { own } from '../text/span.ts';
import type { Row } from '../text/span.ts';
import { LookContext } from './look.ts';
import type { Look } from './look.ts';
import { PickerView } from './picker-view.tsx';
import { Rows } from './rows.tsx';

const MARKS = { good: own('✓ ', 'good'), bad: own('✗ ', 'bad'), note: own('· ', 'dim') } as const;

/** The guided set-up: completed steps stay above, the open question is below. */
export function SetUpView({
  steps,
  look,
}: {
  readonly steps: SetUpSteps;
  readonly look: Omit<Look, 'columns'>;
}): ReactNode {
  const { lines, step } = useSyncExternalStore(steps.subscribe, steps.current);
  const size = useWindowSize();
  // Also without an open question: otherwise the terminal would write keys into the screen, and Ctrl-C must leave.
  useInput((input, key) => {
    if (key.ctrl && input === 'c') steps.leave();
  });
  return (
    <LookContext value={{ ...look, columns: size.columns }}>
      <Static items={lines as SetUpLine[]}>
        {(line) => <Rows key={line.id} rows={lineRows(line, size.columns)} />}
      </Static>
      {step.kind === 'busy' ? <Rows rows={[[own('  … ', 'accent'), { text: step.text, role: 'plain' }]]} /> : null}
      {step.kind === 'choose' ? (
        <Choice key={step.picker.title} picker={step.picker} size={size} onAnswer={steps.answer} />
      ) : null}
      {step.kind === 'line' || step.kind === 'secret' ? (
        <Line key={step.title} title={step.title} isSecret={step.kind === 'secret'} onAnswer={steps.answer} />
      ) : null}
    </LookContext>
  );
}

function lineRows({ mark, text }: SetUpLine, columns: number): Row[] {
  return hangingRows([{ text, role: 'plain' }], { first: [MARKS[mark]], rest: [own('  ')], breakAt: 'blank' }, columns);
}

interface Asked {
  readonly onAnswer: (answer: string | null) => void;
}

function Choice({
  picker,
  size,
  onAnswer,
}: Asked & {
  readonly picker: PickerList;
  readonly size: { columns: number; rows: number };
}): ReactNode {
  const keys = useRef<((action: KeyAction) => void) | null>(null);
  const listen = useCallback((onKey: (action: KeyAction) => void) => {
    keys.current = onKey;
  }, []);
  useInput((input, key) => readKeys(input, key).forEach((action) => keys.current?.(action)));
  const onKey = (action: KeyAction) => {
    if (action.kind === 'picked') onAnswer(action.id);
    else if (action.kind === 'close-panel') onAnswer(null);
  };
  return <PickerView picker={picker} size={size} waits={false} listen={listen} onKey={onKey} />;
}

/** One line of text. For a secret only the number of characters is shown. */
function Line({
  title,
  isSecret,
  onAnswer,
}: Asked & { readonly title: SafeText; readonly isSecret: boolean }): ReactNode {
  const [value, setValue] = useState('');
  useInput((input, key) => {
    if (key.escape || (key.ctrl && input === 'c')) onAnswer(null);
  });
  // A paste, or a slow connection, delivers text and Enter in one piece: the text before the Enter is the answer.
  const change = (text: string) => {
    const [line = '', ...rest] = text.split(/[\r\n]/);
    if (rest.length === 0) setValue(text);
    else onAnswer(line);
  };
  return (
    <Box flexDirection="column">
      <Box>
        <Rows rows={[[{ text: title, role: 'strong' }, own(' ')]]} />
        <TextInput value={value} {...(isSecret ? { mask: '•' } : {})} onChange={change} onSubmit={onAnswer} />
      </Box>
      <Rows rows={[[own('enter takes · esc leaves', 'dim')]]} />
    </Box>
  );
}
