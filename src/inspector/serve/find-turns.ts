import { ReaderGone } from '../../adapters/http/http-server.ts';
import type { Kind } from '../wire/wire.ts';
import type { FoundTurns, Span } from './history.ts';
import { blockPart, type LazyBlock } from './turn-block.ts';

/** One answer holds no more than this, however long the turns are: a shoot with 5,000 nodes has turns of a megabyte. */
const mostCharacters = 64 * 1_048_576;

/**
 * The turns of one machine that are asked for. The youngest are wanted, so the last blocks are read first. Before each
 * one it waits for `pass`, so that others get their turn.
 */
export async function findTurns(
  kind: Kind,
  blocks: readonly LazyBlock[],
  span: Span,
  pass: () => Promise<void>,
  isWanted: () => boolean = () => true,
): Promise<FoundTurns> {
  const parts: (readonly string[])[] = [];
  let [turns, characters, earlier, later] = [0, 0, false, false];
  for (const { firstAt, lastAt, read } of blocks.toReversed()) {
    if (lastAt < span.from || turns === span.most || characters > mostCharacters) {
      earlier = true;
      break;
    }
    if (firstAt > span.until) {
      later = true;
      continue;
    }
    await pass();
    if (!isWanted()) throw new ReaderGone('nobody waits for these turns any more');
    const part = blockPart(kind, read(), { ...span, most: span.most - turns });
    parts.unshift(part.turns);
    turns += part.turns.length;
    characters += part.turns.reduce((sum, { length }) => sum + length, 0);
    earlier ||= part.earlier;
    later ||= part.later;
  }
  return { turns: parts.flat(), earlier, later };
}
