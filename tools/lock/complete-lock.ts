type LockEntry = {
  version?: string;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
};
export type Lock = { packages: Record<string, LockEntry> };

/**
 * Adds the packages for other platforms that a lock file lacks, and returns their names. A registry
 * mirror that carries one platform only makes npm leave them out, and "npm ci" then refuses the lock
 * it has just written, on every platform.
 */
export function completeLock(lock: Lock): { lock: Lock; added: string[] } {
  const packages = { ...lock.packages };
  const added: string[] = [];
  for (const [path, { optionalDependencies = {} }] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      // Packages for platforms are pinned by the one they belong to; a range is something else.
      const isPinned = /^\d+\.\d+\.\d+[^\s|]*$/.test(version);
      if (!isPinned || isLocked(packages, path, name)) continue;
      packages[`node_modules/${name}`] = { version, optional: true, ...platformOf(name) };
      added.push(name);
    }
  }
  const sorted = Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1));
  return { lock: { ...lock, packages: Object.fromEntries(sorted) }, added };
}

/** Whether the package at the path finds the other in its own node_modules or one further up. */
function isLocked(packages: Lock['packages'], path: string, name: string): boolean {
  for (let folder = path; ; ) {
    if (packages[`${folder === '' ? '' : `${folder}/`}node_modules/${name}`]) return true;
    if (folder === '') return false;
    const parent = folder.lastIndexOf('/node_modules/');
    folder = parent === -1 ? '' : folder.slice(0, parent);
  }
}

const systems = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const processors = [
  'arm64',
  'arm',
  'ia32',
  'loong64',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
];

/** By custom the name of such a package says what it is for: @biomejs/cli-linux-x64-musl. */
function platformOf(name: string): Pick<LockEntry, 'os' | 'cpu' | 'libc'> {
  const words = (name.split('/').at(-1) ?? name).split('-');
  const os = systems.find((system) => words.includes(system));
  const cpu = processors.find((processor) => words.includes(processor));
  const isMusl = os === 'linux' && words.some((word) => word.startsWith('musl'));
  return {
    ...(cpu === undefined ? {} : { cpu: [cpu] }),
    ...(isMusl ? { libc: ['musl'] } : {}),
    ...(os === undefined ? {} : { os: [os] }),
  };
}
