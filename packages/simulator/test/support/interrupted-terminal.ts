import { Subject } from 'rxjs';
import type { Terminal } from 'dependency-watchdog/commands/terminal/terminal.ts';

/** A terminal whose user interrupts as soon as the first shoot is painted; `written` is what was sent to it. */
export function interruptedTerminal() {
  const interrupted$ = new Subject<void>();
  let all = '';
  const terminal: Terminal = {
    colours: true,
    size: () => ({ columns: 80, rows: 24 }),
    write: (text) => {
      all += text;
      if (text.includes('shoot--demo--01')) interrupted$.next();
    },
    onResize: () => () => {},
    onExit: () => () => {},
  };
  return { surroundings: { terminal, interrupted$ }, written: () => all };
}
