import { lineText } from './painted-line.ts';
import { timelineLine } from './story-screen.ts';
import type { SeenStory, StoryWords } from './story-words.ts';
import type { Storyteller } from './storyteller.ts';

/** Tells a run in plain lines, as it goes on. */
export function lineStoryteller<Seen extends SeenStory, Summary>(
  words: StoryWords<Seen, Summary>,
  out: (line: string) => void,
): Storyteller<Seen, Summary> {
  const write = (line: Parameters<typeof lineText>[0]) => out(lineText(line, Infinity, false));
  for (const line of words.beginning) out(line);
  return {
    saw(seen) {
      for (const entry of words.entries(seen)) write(timelineLine(entry, seen.after.startedAt));
    },
    summary: (summary) => words.summary(summary).forEach(write),
    kept: (kubeconfig) => words.kept(kubeconfig).forEach((line) => out(line)),
    end: () => undefined,
  };
}
