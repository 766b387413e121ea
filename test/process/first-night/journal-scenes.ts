import { files, prober, quiet } from './files.ts';
import type { Scene } from './scene.ts';

export const journalScenes: readonly Scene[] = [
  {
    title: 'names a journal file that is not there',
    args: 'replay {dir}/nothing.jsonl',
    says: /no such file/,
    code: 1,
  },
  { title: 'names no journal', args: 'replay', says: /FILE… is missing/, code: 2 },
  {
    title: 'replays an empty file',
    args: 'replay {dir}/empty.jsonl',
    files: { 'empty.jsonl': '' },
    says: /./,
    code: 0,
  },
  { title: 'replays an empty directory', args: 'replay {dir}', says: /./, code: 1 },
  { title: 'replays a configuration', args: 'replay {dir}/config.yaml', files, says: /config\.yaml/, code: 1 },
  { title: 'replays nothing from the standard input', args: 'replay -', says: /./, code: 0 },
  {
    title: 'wants the journal in a file',
    args: `${prober} ${quiet} --journal-dir={dir}/config.yaml`,
    files,
    until: /error/,
    says: /./,
    code: 0,
  },
  { title: 'names no configuration to release by', args: 'release', says: /--config-file=FILE is missing/, code: 2 },
  {
    title: 'releases a seed that cannot be reached',
    args: 'release --config-file={dir}/config.yaml --kubeconfig={dir}/nobody.kubeconfig',
    files,
    says: /ECONNREFUSED/,
    code: 1,
  },
];
