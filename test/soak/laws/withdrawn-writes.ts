import type { ShootTurn } from '../../../src/effects/turn.ts';
import type { Instant } from '../../../src/domain/time.ts';
import { workloadNumbers } from '../../../src/simulator/store/resource-kind.ts';
import type { Law } from '../law.ts';
import { seedWriteOf } from './seed-write.ts';

type Aim = 'down' | 'up' | 'none' | 'ended';

/** A machine that has turned round, that rests, or that is no more, has taken its writes back: none goes out after that. */
export const withdrawnWrites: Law = {
  name: '6.3 what was taken back does not go out',
  begin() {
    const aims = new Map<string, Readonly<{ aim: Aim; since: Instant }>>();
    let judged = 0;
    return {
      hear(observation) {
        const { at } = observation;
        if (observation.kind === 'turn' && observation.turn.kind === 'shoot') {
          const { turn, process } = observation;
          const name = `${process} ${turn.subject}`;
          const aim = aimOf(turn);
          if (aims.get(name)?.aim !== aim) aims.set(name, { aim, since: at });
          return undefined;
        }
        const write = seedWriteOf(observation);
        if (write !== undefined) {
          const ended = aims.get(`${write.process} ${write.namespace}`);
          return ended?.aim === 'ended' && at > ended.since
            ? `${write.process} wrote ${write.path} ${at - ended.since} ms after its machine had ended`
            : undefined;
        }
        if (observation.kind !== 'change' || observation.of.scale === undefined) return undefined;
        const { writer, previous, revision } = observation.change;
        if (writer === undefined || previous === undefined) return undefined;
        const [before, after] = [previous, revision].map(
          ({ object }) => workloadNumbers(observation.of, object).desired,
        );
        if ((before === 0) === (after === 0)) return undefined;
        const now = aims.get(`${writer.user} ${revision.object.metadata.namespace ?? ''}`);
        if (now === undefined) return undefined;
        judged += 1;
        return now.aim === (after === 0 ? 'down' : 'up') || writer.sentAt <= now.since
          ? undefined
          : `${writer.user} scaled ${revision.key} to ${after}, by a write sent ${writer.sentAt - now.since} ms after its machine had turned to '${now.aim}'`;
      },
      counts: () => ({ 'writes that nobody had taken back': judged }),
    };
  },
};

function aimOf({ event, after }: ShootTurn): Aim {
  if (event.type === 'ended') return 'ended';
  const flow = after?.context.flow ?? null;
  if (flow === null) return 'none';
  return flow.aim === 'down' ? 'down' : 'up';
}
