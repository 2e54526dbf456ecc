import type { ReactNode } from 'react';
import type { Panel } from '../panel/panel.ts';
import type { PanelProps } from './panel-props.ts';
import { PagerView } from './pager-view.tsx';
import { PickerView } from './picker-view.tsx';

/** The panel that replaces the prompt. */
export function PanelView({ panel, ...props }: PanelProps & { readonly panel: Panel }): ReactNode {
  return panel.kind === 'pager' ? <PagerView pager={panel} {...props} /> : <PickerView picker={panel} {...props} />;
}
