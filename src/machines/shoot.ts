/**
 * One machine guards one shoot. Two regions run side by side: the probe asks, the shield acts on the verdicts.
 *
 *   probe    off ──start──► resting ──due──► asking ──nothing suspicious──────────────► resting + verdict
 *                              ▲               │ └──some expired, or scaled down──► looking ──► resting + verdict
 *                              └────failed─────┴─────────────────────────────────────┘
 *            or, with the older generation's two paths (SPEC 4.9):
 *                           resting ──due──► askingPaths ──both told───────────────────► resting + verdict
 *                              ▲               │ └──the stream of Clusters is out──► readingCluster ──► resting + verdict
 *                              └──internal failed, external could not be asked
 *
 *   shield   idle ──start──► probing ──cut off──► leaseFailed ──threshold──► scalingDown ──all at 0──► scaledDown
 *              ▲                ▲ ▲ └─connected, something due─┐    │connected         │connected         │connected
 *              │                │ └──────────────────────────(─┼────┘                  ▼                  ▼
 *          stop, from all       └────────all back────────── scalingUp ◄────────────────┴──────────────────┘
 *
 * S1 Only `verdict.reached` moves the shield up or down, and only an answered probe raises it.
 * S3 A stop (SPEC 3.1) ends the flow in the same turn, and takes back what still waits for the rate limit.
 * S4 Levels are the flow's (domain/prober/scale-flow.ts); a flow in the other direction starts anew (SPEC 6.3).
 * S7 `tooFew` aims at what carries our own mark, upwards only (domain/prober/verdict.ts, domain/prober/due-change.ts).
 * The probe never waits for the shield: no flow, delay or retry holds back the next probe (SPEC 4.6).
 */
import type { ClusterReading } from '../domain/prober/cluster-view.ts';
import type { ProbeFailure } from '../domain/prober/probe-failure.ts';
import * as pathProbe from './path-probe.ts';
import { beginsWith, decisionOn } from './chart-actions.ts';
import * as dependants from './dependants.ts';
import * as probePlan from './probe-plan.ts';
import * as leaseProbe from './lease-probe.ts';
import * as pause from './pause.ts';
import * as shield from './shield.ts';
import { does, shootSetup } from './shoot-setup.ts';
import { shootGuards } from './shoot-guards.ts';
import { firstContext, type Decision, type MachineEvent, type ShootContext } from './shoot-context.ts';

const on = decisionOn<ShootContext, MachineEvent, Decision>();

/** What the stream told of the Cluster, or a look was answered while the stream is out (SPEC 3.5). */
function readingIn(event: MachineEvent): ClusterReading {
  if (event.type === 'cluster.changed') return event.reading;
  const asked = event.type === 'candidates.answered' || event.type === 'cluster.answered' ? event.cluster : undefined;
  if (asked?.outcome === 'read') return asked.reading;
  throw new Error(`the chart took ${event.type} for one that shows the Cluster`);
}

function failureIn(event: MachineEvent): ProbeFailure {
  if ('failure' in event) return event.failure;
  throw new Error(`the chart took ${event.type} for a failure`);
}

/** What follows for the shield where a GET shows the Cluster, while the stream of Clusters is out (SPEC 3.5). */
const shownByGet = [
  { guard: 'showsGone', target: '.idle', actions: ['standDown', 'markGone'] },
  { guard: 'showsRest', target: '.idle', actions: ['recordClusterAtRest', 'standDown'] },
  { guard: 'showsCluster', actions: 'recordCluster' },
] as const;

export const shootMachine = shootSetup
  .extend({
    guards: shootGuards,
    actions: {
      planFirstProbe: does((context, event) => probePlan.planFirstProbe(context, event.at)),
      hurryProbe: does((context, event) => probePlan.hurryProbe(context, event.at)),
      askLeases: does((context, event) => leaseProbe.askLeases(context, event.at)),
      askCandidates: does(on('probe.answered', leaseProbe.askCandidates)),
      judgeLeasesAlone: does(on('probe.answered', leaseProbe.judgeLeasesAlone)),
      takePlace: does(on('probe.reserved', probePlan.takePlace)),
      judgeCandidates: does(on('candidates.answered', leaseProbe.judgeCandidates)),
      askPaths: does((context, event) => pathProbe.askPaths(context, event.at)),
      askExternal: does(on('path.answered', pathProbe.askExternal)),
      recordPath: does(on('path.answered', pathProbe.recordPath)),
      askCluster: does(on('path.answered', pathProbe.askCluster)),
      judgePaths: does(on('path.answered', pathProbe.judgePaths)),
      judgePathsOfCluster: does(on('cluster.answered', pathProbe.judgePathsOfCluster)),
      planAfterInternal: does(on('path.answered', pathProbe.planAfterInternal)),
      planAfterExternal: does(on('path.answered', pathProbe.planAfterExternal)),
      planAfterFailure: does((context, event) => probePlan.planAfterFailure(context, event.at, failureIn(event))),
      planAfterLoss: does((context, event) => probePlan.planAfterLoss(context, event.at)),

      recordCluster: does((context, event) => pause.recordCluster(context, readingIn(event))),
      recordClusterAtRest: does((context, event) => pause.recordClusterAtRest(context, readingIn(event))),
      standDown: does(pause.standDown),
      markGone: does(pause.markGone),

      recordClusterWatch: does(on('cluster.watched', shield.recordClusterWatch)),
      recordView: does(on('dependant.changed', dependants.recordView)),
      recordWatch: does(on('dependant.watched', dependants.recordWatch)),
      applyWriteAnswer: does(on('scale.answered', dependants.applyWriteAnswer)),
      applyReadAnswer: does(on('read.answered', dependants.applyReadAnswer)),
      advance: does((context, event) => shield.advance(context, event.at)),
      beginDown: does((context, event) => shield.begin(context, 'down', event.at)),
      renewDown: does((context, event) => shield.renew(context, 'down', event.at)),
      beginUp: does(on('verdict.reached', (context, event) => shield.begin(context, event.aim, event.at))),
      renewUp: does(on('verdict.reached', (context, event) => shield.renew(context, event.aim, event.at))),
      endFlow: does(shield.endFlow),
      recordAllDown: does(shield.recordAllDown),
      recheck: does((context, event) => dependants.recheck(context, event.at)),
    },
  })
  .createMachine({
    id: 'shoot',
    context: beginsWith(firstContext),
    type: 'parallel',
    states: {
      probe: {
        initial: 'off',
        on: {
          'cluster.gone': '.off',
          'cluster.changed': [
            { guard: 'mustStop', target: '.off' },
            { guard: 'changesPolicy', actions: 'hurryProbe' },
          ],
          'candidates.answered': { guard: 'showsRest', target: '.off' },
          'cluster.answered': { guard: 'showsRest', target: '.off' },
        },
        states: {
          off: { on: { 'cluster.changed': { guard: 'mayStart', target: 'resting', actions: 'planFirstProbe' } } },
          resting: {
            on: {
              woken: [
                { guard: 'isPathProbeDue', target: 'askingPaths', actions: 'askPaths' },
                { guard: 'isProbeDue', target: 'asking', actions: 'askLeases' },
              ],
              'probe.reserved': { actions: 'takePlace' },
            },
          },
          asking: {
            on: {
              'probe.answered': [
                { guard: 'isCurrentAndMustLook', target: 'looking', actions: 'askCandidates' },
                { guard: 'isCurrent', target: 'resting', actions: 'judgeLeasesAlone' },
              ],
              'probe.failed': { guard: 'isCurrent', target: 'resting', actions: 'planAfterFailure' },
              woken: { guard: 'isProbeLost', target: 'resting', actions: 'planAfterLoss' },
            },
          },
          looking: {
            on: {
              'candidates.answered': { guard: 'isCurrentAndNoRest', target: 'resting', actions: 'judgeCandidates' },
              'candidates.failed': { guard: 'isCurrent', target: 'resting', actions: 'planAfterFailure' },
              woken: { guard: 'isProbeLost', target: 'resting', actions: 'planAfterLoss' },
            },
          },
          askingPaths: {
            on: {
              'path.answered': [
                { guard: 'hasInternalFailed', target: 'resting', actions: 'planAfterInternal' },
                { guard: 'mustAskExternal', actions: 'askExternal' },
                { guard: 'isOtherPathAwaited', actions: 'recordPath' },
                { guard: 'isExternalUntold', target: 'resting', actions: 'planAfterExternal' },
                { guard: 'mustReadCluster', target: 'readingCluster', actions: 'askCluster' },
                { guard: 'haveBothTold', target: 'resting', actions: 'judgePaths' },
              ],
              woken: { guard: 'isProbeLost', target: 'resting', actions: 'planAfterLoss' },
            },
          },
          readingCluster: {
            on: {
              'cluster.answered': { guard: 'isCurrentAndNoRest', target: 'resting', actions: 'judgePathsOfCluster' },
              woken: { guard: 'isProbeLost', target: 'resting', actions: 'planAfterLoss' },
            },
          },
        },
      },
      shield: {
        initial: 'idle',
        on: {
          'cluster.gone': { target: '.idle', actions: ['standDown', 'markGone'] },
          'cluster.changed': [
            { guard: 'mustStop', target: '.idle', actions: ['recordClusterAtRest', 'standDown'] },
            { actions: 'recordCluster' },
          ],
          'candidates.answered': [...shownByGet],
          'cluster.answered': [...shownByGet],
          'cluster.watched': { actions: 'recordClusterWatch' },
          'dependant.changed': { actions: 'recordView' },
          'dependant.watched': { actions: 'recordWatch' },
          'scale.answered': { actions: 'applyWriteAnswer' },
          'read.answered': { actions: 'applyReadAnswer' },
          woken: { actions: 'advance' },
        },
        states: {
          idle: {
            on: {
              'cluster.changed': [
                { guard: 'mayStart', target: 'probing', actions: 'recordCluster' },
                { actions: 'recordClusterAtRest' },
              ],
            },
          },
          probing: {
            on: {
              'verdict.reached': [
                { guard: 'isCutOff', target: 'leaseFailed' },
                { guard: 'isScaleUpDue', target: 'scalingUp' },
              ],
            },
          },
          leaseFailed: {
            always: { guard: 'failureThresholdMet', target: 'scalingDown' },
            on: {
              'verdict.reached': [
                { guard: 'isScaleUpDue', target: 'scalingUp' },
                { guard: 'isConnected', target: 'probing' },
              ],
            },
          },
          scalingDown: {
            entry: 'beginDown',
            exit: 'endFlow',
            always: { guard: 'isFlowFinished', target: 'scaledDown' },
            on: {
              woken: { guard: 'isRecheckDue', actions: ['recheck', 'advance'] },
              'verdict.reached': [
                { guard: 'isCutOff', actions: 'renewDown' },
                { guard: 'isScaleUpDue', target: 'scalingUp' },
                { guard: 'verdictMeetsSuccessThreshold', target: 'probing' },
              ],
            },
          },
          scaledDown: {
            on: {
              woken: { guard: 'isRecheckDue', actions: 'recheck' },
              'verdict.reached': [
                { guard: 'isScaleDownDue', target: 'scalingDown' },
                { guard: 'isScaleUpDue', target: 'scalingUp' },
                { guard: 'verdictMeetsSuccessThreshold', target: 'probing' },
                { guard: 'isCutOff', actions: 'recordAllDown' },
              ],
            },
          },
          scalingUp: {
            entry: 'beginUp',
            exit: 'endFlow',
            always: { guard: 'isFlowFinished', target: 'probing' },
            on: {
              'verdict.reached': [
                { guard: 'verdictMeetsFailureThreshold', target: 'leaseFailed' },
                { guard: 'verdictMeetsSuccessThreshold', actions: 'renewUp' },
              ],
            },
          },
        },
      },
    },
  });
