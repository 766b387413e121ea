import type { Law } from '../law.ts';

/** A bug in a machine, or in an observer of its turns, is survived by the program; here it is one all the same. So is an error that nobody caught. */
export const noBugs: Law = {
  name: 'no bugs',
  begin: () => ({
    hear(observation) {
      if (observation.kind === 'bug') return observation.error;
      if (observation.kind !== 'turn') return undefined;
      const { subject, event } = observation.turn;
      return event.type === 'ended' && event.because === 'bug'
        ? `${observation.process}, ${subject}: ${event.error}`
        : undefined;
    },
  }),
};
