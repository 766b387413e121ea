import type { ShootNamespace } from '../../../src/domain/names.ts';
import type { Instant, Millis } from '../../../src/domain/time.ts';
import type { Law } from '../law.ts';

/** The longest pause that a 429 may ask for (4.5). */
const longestPause: Millis = 60_000;
/** A wall clock may be set back by so much before the process ends (1.4), and its timers wait for it. */
const clockSlack: Millis = 10_000;

type Probing = { readonly process: string; readonly subject: ShootNamespace; at: Instant };

/** A shoot that is probed is asked again and again: its next question is never further away than interval, pause and time-out together. */
export const pace: Law = {
  name: '4.4 4.5 4.6 no shoot is forgotten',
  begin(scene) {
    const { config } = scene;
    const probing = new Map<string, Probing>();
    /** Paused processes owe nothing until they go on. */
    const paused = new Set<string>();
    const longest =
      Math.max(config.probeInterval, config.initialDelay, longestPause) * (1 + config.backoffJitterFactor) +
      config.probeTimeout +
      clockSlack;
    return {
      hear(observation) {
        const { at } = observation;
        if (observation.kind === 'process' || observation.kind === 'blow') {
          const { process, did } = observation;
          if (did === 'paused') paused.add(process);
          if (did === 'resumed') for (const one of probing.values()) if (one.process === process) one.at = at;
          if (did === 'resumed') paused.delete(process);
          if (did === 'crashed' || did === 'ended' || did === 'told to end')
            for (const [name, one] of probing) if (one.process === process) probing.delete(name);
        }
        if (observation.kind !== 'turn' || observation.turn.kind !== 'shoot') return undefined;
        const { turn, process } = observation;
        const name = `${process} ${turn.subject}`;
        if (turn.to === 'idle' || turn.event.type === 'ended') probing.delete(name);
        else if (turn.from === 'idle' || !probing.has(name) || turn.commands.some(({ type }) => isQuestion(type)))
          probing.set(name, { process, subject: turn.subject, at });
        return undefined;
      },
      look() {
        const late = scene.now() - longest;
        for (const { process, subject, at } of probing.values())
          if (at < late && !paused.has(process))
            return `${process} has not asked ${subject} for ${scene.now() - at} ms`;
        return undefined;
      },
    };
  },
};

function isQuestion(command: string): boolean {
  return command === 'probe' || command === 'askPath';
}
