import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What `hack/tools/go.mod` pins: `v1.36.3` and `v3.6.8`, and the Go that builds them. */
export type WantedRelease = Readonly<{ kubernetes: string; etcd: string; go: string }>;

export const toolsModule: string = join(import.meta.dirname, '../../../hack/tools');

export function wantedRelease(goMod: string = readFileSync(join(toolsModule, 'go.mod'), 'utf8')): WantedRelease {
  const pinned = (module: string) => {
    const version = new RegExp(`^(?:require )?\\s*${module.replaceAll('.', '\\.')} (v\\S+)`, 'm').exec(goMod)?.[1];
    if (version === undefined) throw new Error(`hack/tools/go.mod pins no ${module}`);
    return version;
  };
  const go = /^go (\S+)$/m.exec(goMod)?.[1];
  if (go === undefined) throw new Error('hack/tools/go.mod names no Go');
  return { kubernetes: pinned('k8s.io/kubernetes'), etcd: pinned('go.etcd.io/etcd/server/v3'), go };
}
