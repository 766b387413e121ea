import type { Instant } from '../../domain/time.ts';
import type { PaintedLine } from './painted-line.ts';
import type { ScreenSize } from './story-screen.ts';
import type { TimelineEntry } from './timeline.ts';

/** What a storyteller hears: something that was seen, and with it the model that says since when times count. */
export type SeenStory = Readonly<{ after: Readonly<{ startedAt: Instant }> }>;

/** How one story is put into words for people; the storytellers know where the words go. */
export type StoryWords<Seen extends SeenStory, Summary> = Readonly<{
  /** Where it is told in lines, before anything happens. */
  beginning: readonly string[];
  entries(seen: Seen): readonly TimelineEntry[];
  /** What a terminal shows now, after what was seen last. */
  picture(seen: Seen, timeline: readonly TimelineEntry[], size: ScreenSize): readonly PaintedLine[];
  summary(summary: Summary): readonly PaintedLine[];
  /** The world goes on (`--keep`); `kubeconfig` is the path of a file. */
  kept(kubeconfig: string): readonly string[];
}>;
