/** A flag that takes a value ends in `=`. The flags of a verb, beside those of all verbs. */
type Tool = Readonly<{ all: string; verbs: Readonly<Record<string, string>> }>;

/** What pages may say to other programs; a page that needs more adds it here, from that program's own help. */
export const tools: Readonly<Record<'kubectl' | 'helm' | 'kustomize', Tool>> = {
  kubectl: {
    all: '-n= --namespace= --context= --as= --kubeconfig=',
    verbs: {
      get: '-A --all-namespaces -o= -l= --show-labels -w --no-headers --raw= --field-selector= --show-managed-fields',
      describe: '-A -l=',
      logs: '-f --previous -c= -l= --since= --tail= --all-pods --prefix',
      apply: '-f= -k= --server-side --force-conflicts --dry-run=',
      delete: '-f= -k= -l= --ignore-not-found',
      exec: '-c= -i -t -it',
      'port-forward': '--address=',
      annotate: '-l= --overwrite',
      label: '-l= --overwrite',
      patch: '-p= --type=',
      scale: '--replicas=',
      'set image': '',
      'rollout status': '--timeout=',
      'rollout undo': '',
      'rollout restart': '',
      'create token': '--duration=',
      'auth can-i': '-A',
      top: '-A -l=',
      cp: '-c=',
    },
  },
  helm: {
    all: '-n= --namespace= --kube-context=',
    verbs: {
      install: '--create-namespace --set= --set-json= --set-string= -f= --values= --wait --dry-run= --version=',
      upgrade: '--install --reset-then-reuse-values --reuse-values --set= --set-json= -f= --values= --wait --version=',
      template: '--set= --set-json= -f= --values= --kube-version= --api-versions=',
      lint: '--set= -f= --values=',
      uninstall: '',
      rollback: '',
      package: '--version= --app-version=',
    },
  },
  kustomize: { all: '', verbs: { create: '--resources=', 'edit set image': '', build: '' } },
};

/** What is wrong with the words behind the name of such a program; undefined where nothing is. `rest`: its arguments, and what follows `--`. */
export function readToolWords(
  name: keyof typeof tools,
  words: readonly string[],
):
  | Readonly<{ problem: string }>
  | Readonly<{
      verb: string;
      given: readonly (readonly [flag: string, value: string])[];
      args: readonly string[];
      behind: readonly string[];
    }> {
  const { all, verbs } = tools[name];
  const end = words.indexOf('--');
  const [own, behind] = end === -1 ? [words, []] : [words.slice(0, end), words.slice(end + 1)];
  const some = new Set(
    Object.values(verbs)
      .concat(all)
      .flatMap((flags) => flags.split(' ')),
  );
  const given: (readonly [string, string])[] = [];
  const args: string[] = [];
  for (let index = 0; index < own.length; index++) {
    const word = own[index] ?? '';
    const [, flag = '', inline] = /^(--?[a-z][\w-]*)(?:=(.*))?$/s.exec(word) ?? [];
    if (flag === '') args.push(word);
    else if (inline !== undefined || !some.has(`${flag}=`)) given.push([flag, inline ?? '']);
    else given.push([flag, own[++index] ?? '']);
  }
  const verb = Object.keys(verbs).find((one) => `${args.join(' ')} `.startsWith(`${one} `));
  if (verb === undefined)
    return { problem: `no verb of ${name} that hack/commands/known-flags.ts knows: ${args.slice(0, 3).join(' ')}` };
  const known = new Set(`${all} ${verbs[verb] ?? ''}`.split(' ').map((flag) => flag.replace('=', '')));
  const strange = given.find(([flag]) => !known.has(flag));
  if (strange !== undefined)
    return { problem: `${name} ${verb} has no flag ${strange[0]}, as far as hack/commands/known-flags.ts knows` };
  return { verb, given, args: args.slice(verb.split(' ').length), behind };
}
