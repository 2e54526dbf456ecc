import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { PickerList } from '../panel/panel.ts';
import { pickerFrame } from '../panel/picker-frame.ts';
import { fittingEntries, movePicker, pickerAtFirst } from '../panel/picker-position.ts';
import { DrawnFrame } from './drawn-frame.tsx';
import type { PanelProps } from './panel-props.ts';

/** A list in which one entry is chosen by arrow keys and typed text. */
export function PickerView({
  picker,
  size,
  listen,
  onKey,
  onFrame,
}: PanelProps & { readonly picker: PickerList }): ReactNode {
  const [at, setAt] = useState(() => pickerAtFirst(picker));
  const newest = useRef(at);
  useEffect(() => {
    listen((action) => {
      const step = movePicker(newest.current, action, picker.entries);
      if (step.kind === 'closed') onKey({ kind: 'close-panel' });
      else if (step.kind === 'picked') onKey(step);
      else {
        newest.current = step.position;
        setAt(step.position);
        const marked = fittingEntries(picker.entries, step.position.query)[step.position.selected];
        if (marked !== undefined) onKey({ kind: 'marked', id: marked.id });
      }
    });
  });
  return <DrawnFrame frame={pickerFrame(picker, at, size)} onFrame={onFrame} />;
}
