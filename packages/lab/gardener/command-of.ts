import type { RoleName } from 'dependency-watchdog/domain/names.ts';
import { newest, renderingOf, theOnly } from './rendering.ts';

const rendering = renderingOf(newest);

type PodTemplate = Readonly<{
  template: Readonly<{ spec: Readonly<{ containers: readonly Readonly<{ command: readonly string[] }>[] }> }>;
}>;

/** The words of a role's container, as gardenlet writes them into the Deployment. The first is the program's path in the image. */
export function commandOf(role: RoleName): readonly string[] {
  const { template } = theOnly(rendering[role], 'Deployment')['spec'] as PodTemplate;
  return template.spec.containers[0]?.command ?? [];
}

/** The file of a role's configuration, as gardenlet writes it into the ConfigMap that the container mounts. */
export function configFileOf(role: RoleName): Readonly<{ name: string; text: string }> {
  const [[name, text] = ['', '']] = Object.entries(
    theOnly(rendering[role], 'ConfigMap')['data'] as Readonly<Record<string, string>>,
  );
  return { name, text };
}
