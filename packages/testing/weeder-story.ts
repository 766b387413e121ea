import type { WeederTurn } from 'dependency-watchdog/effects/turn.ts';
import { pod, WeederStage } from './weeder-stage.ts';

export const apiserver = 'shoot--sim--one/kube-apiserver';

/**
 * The service is there, goes down and comes back. Of its dependants one pod is deleted at once, and one after two
 * failures; twelve at once are more than may be under way. The service relapses and comes back; then it goes.
 */
export async function recovery(): Promise<readonly WeederTurn[]> {
  const stage = new WeederStage(apiserver);
  await stage.pass(310_000);
  stage.ready(apiserver, 0);
  await stage.pass(60_000);
  stage.ready(apiserver, 1);
  await stage.pass(150);
  stage.sees(apiserver, pod('kcm'));
  await stage.pass(1_000);
  stage.ready(apiserver, 2);
  stage.sees(apiserver, pod('kcm', 'ending'));
  stage.loses(apiserver, pod('kcm'));

  stage.answer = () => ({ outcome: 'failed', reason: '500', detail: 'the seed is ill' });
  stage.sees(apiserver, pod('scheduler'));
  await stage.pass(1_100);
  stage.answer = () => ({ outcome: 'deleted' });
  await stage.pass(10_000);

  stage.sees(apiserver, ...Array.from({ length: 12 }, (_, index) => pod(`many-${index}`)));
  await stage.pass(10_000);

  stage.sees(apiserver, pod('late'));
  stage.ready(apiserver, 0);
  await stage.pass(5_000);
  stage.ready(apiserver, 1);
  await stage.pass(310_000);
  stage.ready(apiserver, 0);
  stage.ready(apiserver, 1);
  await stage.pass(1_000);
  stage.gone(apiserver);
  await stage.pass(1_000);
  stage.stop();
  return stage.turns;
}

/** The same story of several namespaces at once; their turns alternate. */
export function ofNamespaces(turns: readonly WeederTurn[], count: number): readonly WeederTurn[] {
  return turns.flatMap((turn, index) =>
    Array.from({ length: count }, (_, one) => ({
      ...turn,
      seq: index * count + one + 1,
      subject: `shoot--${one}/kube-apiserver` as const,
    })),
  );
}
