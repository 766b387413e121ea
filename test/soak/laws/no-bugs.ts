import type { Law } from '../law.ts';

/** A bug in a machine is survived by the program; here it is one all the same. Errors that nobody caught are broken laws by themselves. */
export const noBugs: Law = {
  name: 'no bugs',
  begin: () => ({
    hear(observation) {
      if (observation.kind !== 'turn') return undefined;
      const { subject, event } = observation.turn;
      return event.type === 'ended' && event.because === 'bug'
        ? `${observation.process}, ${subject}: ${event.error}`
        : undefined;
    },
  }),
};
