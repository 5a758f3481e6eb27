interface Block {
  readonly type: 'describeBlock';
  readonly name: string;
  readonly children: (Block | Test)[];
}

interface Test {
  readonly type: 'test';
  readonly name: string;
  readonly parent: Block;
}

interface Turns {
  readonly take: (names: readonly string[]) => void;
  readonly settle: (event: object, state: object) => void;
}

describe('PlatformTurns', () => {
  const PLATFORMS = ['express', 'fastify'] as const;
  const PAIR = PLATFORMS.map((platform) => `writes (${platform})`);

  it('leave the tests of a block to one platform, at any depth', async () => {
    const tree = block(
      '',
      PAIR.map((name) => block(name, ['a', 'b', block('deep', ['c', 'd', 'e'])])),
    );
    expect(await settled(tree)).toEqual([
      ['writes (express)', [['deep', []]]],
      ['writes (fastify)', ['a', 'b', ['deep', ['c', 'd', 'e']]]],
    ]);
  });

  it('leave about as many blocks to each platform, always the same ones', async () => {
    const names = Array.from({ length: 40 }, (_, index) => PLATFORMS.map((platform) => `block ${index} (${platform})`));
    const all = () =>
      block(
        '',
        names.flat().map((name) => block(name, ['a'])),
      );
    const left = (await settled(all(), null, names)) as readonly (readonly [name: string, tests: readonly string[]])[];
    const onExpress = left.filter(([name, tests]) => name.includes('express') && tests.length > 0);
    expect(onExpress).toHaveLength(names.length / 2);
    expect(await settled(all(), null, names)).toEqual(left);
  });

  it('leave a test that only one platform has where it is, and count tests of one title apart', async () => {
    const tree = block('', [block('writes (express)', ['a', 'own', 'twice', 'twice']), block('writes (fastify)', ['a', 'twice', 'twice'])]);
    expect(await settled(tree)).toEqual([
      ['writes (express)', ['own']],
      ['writes (fastify)', ['a', 'twice', 'twice']],
    ]);
  });

  it('find the pair within other blocks, and leave those that are no pair', async () => {
    const tree = block('', [
      block(
        'outer',
        PAIR.map((name) => block(name, ['a', 'b'])),
      ),
      block('writes (express)', ['a']),
    ]);
    expect(await settled(tree)).toEqual([
      [
        'outer',
        [
          ['writes (express)', []],
          ['writes (fastify)', ['a', 'b']],
        ],
      ],
      ['writes (express)', ['a']],
    ]);
  });

  it('run all tests on both platforms where a pattern selects them by title', async () => {
    const tree = block(
      '',
      PAIR.map((name) => block(name, ['a'])),
    );
    expect(await settled(tree, /a/)).toEqual(PAIR.map((name) => [name, ['a']]));
  });

  it('leave them to the other platform in ci', async () => {
    const tree = block(
      '',
      PAIR.map((name) => block(name, ['a'])),
    );
    expect(await settled(tree, null, [PAIR], 'ci')).toEqual([
      ['writes (express)', ['a']],
      ['writes (fastify)', []],
    ]);
  });

  it.each([
    ['node', 'quick', 2],
    ['node', 'full', 2],
    ['express', 'ci', 0],
    ['third', 'ci', 2],
  ])('leave them to the platform of TEST_PLATFORM=%s in %s', async (platform, profile, kept) => {
    const names = ['express', 'fastify', 'node'].map((name) => `writes of (${name})`);
    const tree = block(
      '',
      names.map((name) => block(name, ['a'])),
    );
    expect(await settled(tree, null, [names], profile, platform)).toEqual(names.map((name, index) => [name, index === kept ? ['a'] : []]));
  });

  it.each([
    ['quick', 1],
    ['ci', 2],
  ])('leave a block for each platform in %s to Fastify, and to %d of the others', async (profile, count) => {
    const names = ['express', 'fastify', 'node'].map((name) => `writes on ${name}`);
    const tree = block(
      '',
      names.map((name) => block(name, ['a'])),
    );
    const left = (await settled(tree, null, [], profile)) as readonly (readonly [name: string, tests: readonly string[]])[];
    expect(left[1]).toEqual(['writes on fastify', ['a']]);
    expect([left[0], left[2]].filter((one) => one && one[1].length > 0)).toHaveLength(count);
  });

  it('leave each test to both platforms in full', async () => {
    const tree = block(
      '',
      PAIR.map((name) => block(name, ['a'])),
    );
    expect(await settled(tree, null, [PAIR], 'full')).toEqual(PAIR.map((name) => [name, ['a']]));
  });

  async function settled(
    rootDescribeBlock: Block,
    testNamePattern: RegExp | null = null,
    groups: readonly (readonly string[])[] = [PAIR],
    profile = 'quick',
    platform?: string,
  ): Promise<unknown> {
    const { PlatformTurns } = (await import(new URL('../../support/platform-turns.mjs', import.meta.url).pathname)) as {
      readonly PlatformTurns: new (profile: string, platform?: string) => Turns;
    };
    const turns = new PlatformTurns(profile, platform);
    groups.forEach((names) => {
      turns.take(names);
    });
    turns.settle({ name: 'run_start' }, { rootDescribeBlock, testNamePattern });
    return namesIn(rootDescribeBlock);
  }
});

function block(name: string, children: readonly (string | Block)[]): Block {
  const made: Block = { type: 'describeBlock', name, children: [] };
  made.children.push(
    ...children.map((child) => (typeof child === 'string' ? ({ type: 'test', name: child, parent: made } as const) : child)),
  );
  return made;
}

/** A test as its name, a block as its name and what is in it. */
function namesIn({ children }: Block): readonly unknown[] {
  return children.map((child) => (child.type === 'test' ? child.name : [child.name, namesIn(child)]));
}
