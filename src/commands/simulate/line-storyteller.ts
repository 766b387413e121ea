import { lineText } from './painted-line.ts';
import { timelineLine } from './screen.ts';
import type { RunOptions, Storyteller } from './storyteller.ts';
import { beginningLines, keptLines } from './run-words.ts';
import { summaryLines } from './summary-lines.ts';
import { timelineEntries } from './timeline.ts';

/** Tells a run in plain lines, as it goes on. */
export function lineStoryteller(options: RunOptions, out: (line: string) => void): Storyteller {
  const write = (line: Parameters<typeof lineText>[0]) => out(lineText(line, Infinity, false));
  for (const line of beginningLines(options)) out(line);
  return {
    saw({ before, seen, after }) {
      for (const entry of timelineEntries(before, seen, after)) write(timelineLine(entry, after.startedAt));
    },
    summary: (summary) => summaryLines(summary, options).forEach(write),
    kept: (kubeconfig) => keptLines(kubeconfig, options).forEach((line) => out(line)),
    end: () => undefined,
  };
}
