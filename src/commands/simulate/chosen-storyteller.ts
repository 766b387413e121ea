import { systemClock } from '../../adapters/clock/wall-clock.ts';
import { lineStoryteller } from './line-storyteller.ts';
import { liveStoryteller } from './live-storyteller.ts';
import type { Scene } from './scene.ts';
import type { SeenStory, StoryWords } from './story-words.ts';
import type { Storyteller } from './storyteller.ts';

/** Tells a story as the operator wants it: in JSON, where there is a terminal on a screen, else in lines. */
export function chosenStoryteller<Seen extends SeenStory, Summary>(
  asJson: boolean,
  { io, terminal }: Scene,
  ways: Readonly<{
    json: (out: (line: string) => void) => Storyteller<Seen, Summary>;
    words: () => StoryWords<Seen, Summary>;
  }>,
): Storyteller<Seen, Summary> {
  const out = (line: string) => io.out(line);
  if (asJson) return ways.json(out);
  if (terminal === undefined) return lineStoryteller(ways.words(), out);
  return liveStoryteller(ways.words(), terminal, systemClock);
}
