import { Text, useAnimation } from 'ink';
import type { ReactNode } from 'react';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/** Something goes on. `children` is drawn anew with every step, for what counts up. */
export function Spinner({ children }: { readonly children?: () => ReactNode }): ReactNode {
  const { frame } = useAnimation({ interval: 120 });
  return (
    <>
      <Text color="cyan">{FRAMES[frame % FRAMES.length]}</Text>
      {children?.()}
    </>
  );
}
