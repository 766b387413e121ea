import { KubeError } from '../../adapters/kube/kube-error.ts';
import { counted } from '../../adapters/words/plain-words.ts';
import type { WeederConfig } from '../../domain/weeder/weeder-config.ts';
import { wrap, type CommandIo } from '../command.ts';
import { runAtSeed } from '../seed-command.ts';
import { lookAtCoverage, type Coverage, type MissedWorkload, type ServiceCoverage } from './coverage-look.ts';

/** So many workloads that no selector picks are named, and so many namespaces of each. */
const mostNamed = 10;
const mostNamespaces = 3;

/** Prints what a seed shows of a weeder's configuration (SPEC 7.8). Returns the exit code: 1 where the seed could not be read. */
export async function tellCoverage(
  config: WeederConfig,
  values: Readonly<{ kubeconfig: string | undefined; context: string | undefined }>,
  io: CommandIo,
): Promise<number> {
  return await runAtSeed('validate', values, io, config, async ({ client, server, fail }) => {
    try {
      const coverage = await lookAtCoverage(client, config);
      for (const line of coverageLines(coverage, server)) io.out(line);
      return 0;
    } catch (error) {
      if (!(error instanceof KubeError) || error.status !== 403) throw error;
      return fail(
        `${server}: ${error.message}. --against-seed lists the EndpointSlices and the pods of all namespaces, as Gardener's role of the weeder allows; docs/status.md has such a role`,
      );
    }
  });
}

function coverageLines({ namespaces, services, missed, unnamed }: Coverage, server: string): readonly string[] {
  const warnings = services.flatMap(serviceWarnings);
  if (namespaces === 0) return ['', `On ${server} no namespace has a service of the configuration: is it the seed?`];
  return [
    '',
    `On ${server}, in ${namespacesWords(namespaces)} with a service of the configuration`,
    ...services.filter((one) => one.namespaces > 0).flatMap(serviceLine),
    '',
    ...missedLines(missed, unnamed),
    ...(warnings.length === 0 ? [] : ['', counted(warnings.length, 'warning')]),
    ...warnings.flatMap((text) => wrap(text, 4, 2)),
  ];
}

function serviceLine({ name, namespaces, pods, podNamespaces }: ServiceCoverage): readonly string[] {
  const where = podNamespaces === namespaces ? '' : ` in ${podNamespaces} of them`;
  return wrap(`${name}, in ${namespacesWords(namespaces)}: its selectors pick ${counted(pods, 'pod')}${where}`, 6, 2);
}

function missedLines(missed: readonly MissedWorkload[], unnamed: number): readonly string[] {
  if (missed.length === 0)
    return ['Every pod there is picked by a selector, except those that the weeder never deletes.'];
  const rest = missed.slice(mostNamed);
  const restPods = unnamed + rest.reduce((sum, { pods }) => sum + pods, 0);
  const more = unnamed === 0 ? `${rest.length} more` : `more than ${rest.length} more`;
  return [
    'Pods there that no selector picks, so that the weeder leaves them alone',
    ...missed.slice(0, mostNamed).flatMap(missedLine),
    ...(rest.length === 0 ? [] : [`  and ${more}, with ${counted(restPods, 'pod')}`]),
    '',
    ...wrap('Pods of Jobs, mirror pods and pods that nothing controls are not counted: it never deletes them.'),
  ];
}

function missedLine({ workload, pods, namespaces, behind }: MissedWorkload): readonly string[] {
  const named = namespaces.slice(0, mostNamespaces).join(', ');
  const more = namespaces.length > mostNamespaces ? `, and ${namespaces.length - mostNamespaces} more` : '';
  const own = behind.length === 0 ? '' : ` (the service ${behind.join(' and ')} itself)`;
  const where = `${counted(pods, 'pod')} in ${namespacesWords(namespaces.length)}: ${named}${more}`;
  return wrap(`${workload}${own}, ${where}`, 6, 2);
}

function serviceWarnings({ name, namespaces, idle }: ServiceCoverage): readonly string[] {
  if (namespaces === 0) return [`${name}: no namespace of this seed has a service of this name`];
  return idle.map(
    (selector) =>
      `${name}: the selector ${selector === '' ? 'of every pod' : selector} picks no pod where the service is (${namespacesWords(namespaces)}); has a label changed?`,
  );
}

function namespacesWords(count: number): string {
  return counted(count, 'namespace');
}
