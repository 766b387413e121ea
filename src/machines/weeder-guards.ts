import { isAvailable } from '../domain/weeder/service-slices.ts';
import { mayHaveFailed } from '../domain/weeder/slice-gap.ts';
import type { WeederContext } from './weeder-context.ts';
import type { WeederEvent } from './weeder-language.ts';

type Args = Readonly<{ context: WeederContext; event: WeederEvent }>;

/** What the chart asks of an event; each name completes "if …". */
export const weederGuards = {
  isAvailable: ({ event }: Args) => event.type === 'slices.changed' && isAvailable(event.slices),
  isDown: ({ event }: Args) => event.type === 'slices.changed' && !isAvailable(event.slices),
  mayHaveFailed: ({ context, event }: Args) =>
    event.type === 'slices.changed' && mayHaveFailed(context.slices, event.slices, event.gap, event.at),
  isWindowOver: ({ context, event }: Args) => context.window !== null && event.at >= context.window.endsAt,
};
