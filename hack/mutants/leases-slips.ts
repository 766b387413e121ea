import type { Slip } from './slip.ts';

const earlyProbes: readonly string[] = ['test/domain/early-probes.test.ts'];
const verdict: readonly string[] = ['test/domain/verdict.test.ts'];

/** What leases say of a shoot’s nodes, on whose clock, and when they are asked for. */
export const leasesSlips: readonly Slip[] = [
  {
    file: 'src/domain/jitter.ts',
    find: '(1 + value * factor)',
    put: '(1 - value * factor)',
    says: 'jitter shortens instead of lengthening',
    tests: ['test/domain/jitter.test.ts'],
  },
  {
    file: 'src/domain/prober/node-lease.ts',
    find: 'at > latest ? null : at',
    put: 'at > latest ? 0 : at',
    says: 'a lease without a readable renewTime counts as expired',
    tests: ['test/domain/lease-reading.test.ts'],
  },
  {
    file: 'src/domain/prober/early-probes.ts',
    find: 'Math.max(wanted, askedAt + leastPause)',
    put: 'wanted',
    says: 'two probes may follow each other at once',
    tests: earlyProbes,
  },
  {
    file: 'src/domain/prober/early-probes.ts',
    find: 'Math.max(wanted, askedAt + pauseWhenSpent)',
    put: 'Math.max(wanted, askedAt + leastPause)',
    says: 'leases that are always about to cross cost four probes a second',
    tests: earlyProbes,
  },
  {
    file: 'src/domain/prober/early-probes.ts',
    find: 'Math.max(0, at - budget.filledAt)',
    put: '(at - budget.filledAt)',
    says: 'a clock that is set back takes the early probes away',
    tests: earlyProbes,
  },
  {
    file: 'src/domain/prober/early-probes.ts',
    find: 'Math.min(atOnce, budget.left + ',
    put: 'Math.min(Infinity, budget.left + ',
    says: 'a calm hour is saved up for hundreds of early probes',
    tests: earlyProbes,
  },
  {
    file: 'src/domain/prober/seen-lease.ts',
    find: 'renewTime < earlier.renewTime',
    put: 'renewTime < 0',
    says: 'a lease that went back counts as renewed',
    tests: ['test/domain/seen-lease.test.ts'],
  },
  {
    file: 'src/domain/prober/seen-lease.ts',
    find: 'Math.max(onOurClock, movedAt)',
    put: 'onOurClock',
    says: 'a lease that is renewed by a wrong clock counts as expired',
    tests: ['test/domain/seen-lease.test.ts'],
  },
  {
    file: 'src/domain/prober/seen-lease.ts',
    find: 'renewedAt - ahead',
    put: 'renewedAt + ahead',
    says: 'the shoot’s clock is set right in the wrong direction',
    tests: ['test/domain/seen-lease.test.ts', 'test/model/clocks.test.ts'],
  },
  {
    file: 'src/domain/prober/served-date.ts',
    find: 'least > toleratedDifference || most + toleratedDifference < 0',
    put: 'least > toleratedDifference',
    says: 'a shoot whose clock is behind ours is cut off at once',
    tests: ['test/domain/served-date.test.ts'],
  },
  {
    file: 'src/domain/prober/served-date.ts',
    find: 'served.date - served.receivedAt',
    put: 'served.date - served.sentAt',
    says: 'a slow answer makes clocks seem to differ',
    tests: ['test/domain/served-date.test.ts'],
  },
  {
    file: 'src/domain/prober/probe-schedule.ts',
    find: 'Math.max(shortestHold, retryAfter ?? 0)',
    put: 'retryAfter ?? shortestHold',
    says: '`Retry-After: 1` defeats the pause after a 429',
    tests: ['test/domain/probe-schedule.test.ts'],
  },
  {
    file: 'src/domain/prober/verdict.ts',
    find: 'if (counted < 2)',
    put: 'if (counted < 1)',
    says: 'a single candidate leads down',
    tests: verdict,
  },
  {
    file: 'src/domain/prober/verdict.ts',
    find: '(expired / counted < policy',
    put: '(expired / counted <= policy',
    says: 'the threshold itself does not count as met',
    tests: verdict,
  },
  {
    file: 'src/domain/prober/verdict.ts',
    find: 'filter((at) => now >= at)',
    put: 'filter((at) => now > at)',
    says: 'a lease is not expired at the very instant',
    tests: verdict,
  },
  {
    file: 'src/domain/prober/verdict.ts',
    find: 'needed / total < fraction',
    put: 'needed < total * fraction',
    says: 'the crossing is computed by another division than the verdict',
    tests: verdict,
  },
];
