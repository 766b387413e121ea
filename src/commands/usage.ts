import { nearest } from '../domain/nearest.ts';
import { programName, wrap, type CommandIo } from './command.ts';

export type CommandName =
  | 'prober'
  | 'weeder'
  | 'simulate'
  | 'replay'
  | 'inspect'
  | 'validate'
  | 'status'
  | 'release'
  | 'completion';

type CommandWords = Readonly<{
  /** For the list of all commands. */
  summary: string;
  /** For the command's own help. */
  about: string;
  /** What one types, without the program's name, and what it is for. */
  examples: Readonly<Record<string, string>>;
}>;

/** What each command is for (SPEC 1.1), in the order in which an operator meets them. */
export const commandWords: Readonly<Record<CommandName, CommandWords>> = {
  prober: {
    summary: "protects a seed's shoots: scales their controllers down while the nodes are cut off",
    about:
      'Probes every shoot of a seed. A shoot is cut off when most leases of its nodes are expired, or, with two kubeconfigs, ' +
      'when it answers inside the seed and not through its load balancer. Then the prober scales the configured resources ' +
      'down, so that no controller replaces nodes that are only out of reach. Once the leases are fresh again, or that way ' +
      'answers, it scales them up to what they were.',
    examples: {
      'prober --config-file=config.yaml --kubeconfig=seed.kubeconfig --enable-leader-election':
        'from your machine, as gardenlet starts it in the seed',
    },
  },
  weeder: {
    summary: 'restarts crash-looping pods as soon as the service that they wait for is back',
    about:
      'Watches the configured services. When one becomes available again, it deletes the pods that depend on it and ' +
      'crash-loop, so that they start at once, and not only after their back-off.',
    examples: {
      'weeder --config-file=weeder.yaml --kubeconfig=seed.kubeconfig --enable-leader-election':
        'from your machine, as gardenlet starts it in the seed',
    },
  },
  simulate: {
    summary: 'shows an outage and the way back, with a seed of its own; needs no cluster',
    about:
      'Starts a small seed in this process and runs the real watchdog on it: the prober, while a gateway fails and cuts ' +
      'shoots off from their nodes; or the weeder, while etcd fails and what needs it crash-loops.',
    examples: {
      'simulate --speed=20': 'an outage and the way back in a few seconds',
      'simulate --config-file config.yaml --speed=20': 'the same by a configuration of yours',
    },
  },
  replay: {
    summary: 'shows what a journal recorded, and whether it would happen again',
    about:
      'Feeds the events of a journal to the same machines, shows state by state what happened, sums up each outage, ' +
      'and reports the first event that comes out differently. A FILE is a journal file, a directory of them, or - for the standard input.',
    examples: {
      'replay --outages night.jsonl': 'what happened, a sentence for each outage',
      'replay --explain SHOOT@TIME night.jsonl': 'why a shoot was decided so',
      'replay --what-if nodeLeaseFailureFraction=0.7 night.jsonl': 'what another configuration would have made of it',
    },
  },
  inspect: {
    summary: 'shows what a journal recorded as a page: each decision, and what it was made by',
    about:
      'Serves a page on this machine alone, which shows what happened, each shoot in time, and each decision with the guards that were asked. ' +
      'A PATH is a journal file, a directory of them, or - for the standard input. It ends with Ctrl-C.',
    examples: { 'inspect night.jsonl': 'a night that was fetched from a prober' },
  },
  validate: {
    summary: 'says what a configuration means, or everything that is wrong with it',
    about:
      "Reads a prober's or a weeder's configuration. Prints what it means, with every default filled in; or every problem, " +
      'with what was found and what is expected, and ends with code 1. It needs no cluster, except with --against-seed.',
    examples: {
      'validate --example=prober': 'a configuration to begin with',
      'validate --strict --config-file config.yaml': 'before it goes out',
      'validate --config-file weeder.yaml --against-seed': 'which pods of the seed its selectors leave out',
    },
  },
  status: {
    summary: 'shows how the shoots of a seed stand, by what the cluster itself tells',
    about:
      'Reads the Clusters and their dependants, and shows which shoots are watched, scaled down, scaling up or left alone, since when and by whom, and what is at ' +
      'odds with what should be: then it ends with code 1. With the configuration of the weeder it shows the services and who crash-loops. It writes nothing, and needs no prober.',
    examples: {
      status: 'all shoots of the seed that kubectl would ask',
      'status SHOOT -o wide': 'one, with all names in full',
      'status --watch --prober localhost:9645': 'with what only the prober knows, and on',
      'status --config-file weeder.yaml': "the weeder's services",
      'status -o name': 'their names alone',
    },
  },
  release: {
    summary: 'gives back what a watchdog has scaled down and marked',
    about: 'Raises what a watchdog left scaled down to what it was, and removes its marks, for when it is taken out.',
    examples: {
      'release --dry-run': 'what it would do',
      'release SHOOT': 'one shoot, and then',
      release: 'all of them',
    },
  },
  completion: {
    summary: 'prints a script by which bash, zsh or fish completes this command line',
    about:
      'Prints a script. To have it in each new shell, load it where that shell starts: "source <(dependency-watchdog completion bash)" in ~/.bashrc, ' +
      'the same with zsh in ~/.zshrc, or "dependency-watchdog completion fish | source" in ~/.config/fish/config.fish.',
    examples: { 'completion bash': 'for bash' },
  },
};

export function isCommand(word: string): word is CommandName {
  return Object.hasOwn(commandWords, word);
}

/** The program's own help: all commands and the exit codes. */
export function programUsage(): string {
  const summaries = Object.entries(commandWords).map(([name, { summary }]) => [name, summary] as const);
  const commands = [
    ...summaries,
    ['version', 'shows the version, the commit and the Node that it runs on'] as const,
    ['help', `shows this, or the flags of a command: ${programName} help COMMAND`] as const,
  ].flatMap(([name, summary]) => wrap(`${name.padEnd(12)}${summary}`, 14, 2));
  return [
    `Usage: ${programName} COMMAND [flags]`,
    '',
    ...wrap(
      "Keeps a Gardener seed's shoots out of node meltdowns, and gets crash-looping control planes back on their feet.",
    ),
    '',
    'Commands',
    ...commands,
    '',
    ...wrap(
      'Flags are written with one dash or two, as --flag=value or --flag value; a boolean stands alone, or with =true or =false.',
    ),
    '',
    'Exit codes',
    ...wrap('0  it did what it was asked to, or was told to stop', 5, 2),
    ...wrap('1  the configuration is wrong, or it could not go on', 5, 2),
    ...wrap('2  the command line cannot be read', 5, 2),
  ].join('\n');
}

/** Names the command that was meant, where one is near (SPEC 1.1); answers with exit code 2. */
export function unknownCommand(word: string, io: CommandIo): number {
  const closest = nearest(word, [...Object.keys(commandWords), 'version', 'help']);
  const hint = closest === undefined ? '' : `; did you mean ${closest}?`;
  io.err(
    word.startsWith('-')
      ? `${programName}: the command comes before the flags, as in: ${programName} prober ${word}`
      : `${programName}: unknown command ${JSON.stringify(word)}${hint}`,
  );
  io.err(`"${programName} help" lists all commands.`);
  return 2;
}
