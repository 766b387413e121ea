import type { Slip } from './slip.ts';

const healing: readonly string[] = ['test/model/healing.test.ts'];

/** When the shoot is probed while something is down, and what is looked at then. */
export const returningSlips: readonly Slip[] = [
  {
    file: 'src/machines/planning.ts',
    find: '(asked?.askedAt ?? earliestAt) + pauseWhileDown, ',
    put: '',
    says: 'what is down is probed again and again without a pause',
    tests: healing,
  },
  {
    file: 'src/machines/planning.ts',
    find: 'probe.nextAt !== asked.latest',
    put: 'false',
    says: 'a place for a probe that was planned before overrides the plan',
    tests: healing,
  },
  {
    file: 'src/machines/planning.ts',
    find: 'at + firstBackoff, isDownByUs(context)',
    put: 'at + firstBackoff, false',
    says: 'after failures a shoot that is down is probed at its interval only',
    tests: healing,
  },
  {
    file: 'src/machines/concluding.ts',
    find: 'goesDown || isDownByUs(concluded)',
    put: 'isDownByUs(concluded)',
    says: 'the probe after a scale-down comes an interval later',
    tests: healing,
  },
  {
    file: 'src/machines/looking.ts',
    find: 'mayBeDownByOthers(context) ||',
    put: 'mayBeScaledDown(context) ||',
    says: 'a look is waited for that could change nothing',
    tests: healing,
  },
  {
    file: 'src/machines/looking.ts',
    find: 'const known = hasExpired(context) || !mayBeScaledDown(context);',
    put: 'const known = true;',
    says: 'what others took down goes up though nobody knows whether the shoot is connected',
    tests: healing,
  },
  {
    file: 'src/machines/looking.ts',
    find: "isAnythingDue(context, 'down') ||",
    put: '',
    says: 'what somebody raised goes down by nodes and Machines of a minute ago',
    tests: healing,
  },
  {
    file: 'src/machines/looking.ts',
    find: 'return leases.every(({ node }) => covered.has(node)) ? before.lookedAt : null;',
    put: 'return covered.size > 0 ? before.lookedAt : null;',
    says: 'a lease that came after the last look counts as one of a candidate',
    tests: healing,
  },
  {
    file: 'src/effects/probe-timetable.ts',
    find: 'if (taken >= placesInAStretch) continue;',
    put: '',
    says: 'a thousand shoots that are cut off at once are probed at once',
    tests: ['test/model/probe-timetable.test.ts'],
  },
  {
    file: 'src/machines/planning.ts',
    find: 'isFirst ? Math.floor',
    put: 'false ? Math.floor',
    says: 'shoots that start together are probed together for ever',
    tests: ['test/model/probing.test.ts'],
  },
  {
    file: 'src/machines/planning.ts',
    find: 'Math.floor(takeOverSpread * value)',
    put: '0',
    says: 'after a fail-over all shoots are probed in one instant',
    tests: ['test/model/probing.test.ts'],
  },
  {
    file: 'src/machines/looking.ts',
    find: ' || mustLookAhead(context)',
    put: '',
    says: 'when a whole seed is cut off, all looks come in the second in which the leases expire',
    tests: healing,
  },
  {
    file: 'src/machines/looking.ts',
    find: 'if (age <= lookLasts) return context.said.notRenewed;',
    put: 'if (age <= 2 * lookLasts) return context.said.notRenewed;',
    says: 'something goes down by nodes and Machines that are older than 10 s',
    tests: healing,
  },
  {
    file: 'src/domain/prober/probe-schedule.ts',
    find: 'ahead < expiryFraction * grace - oldestInCalm',
    put: 'true',
    says: 'a healthy shoot is probed more often, in case it is cut off',
    tests: healing,
  },
];
