import type { Prisma, PrismaClient } from '../generated/prisma/client.js';

type Transaction = Prisma.TransactionClient;

/** Fills an empty blog, always with the same rows: 6 users, 4 profiles, 8 tags, 42 posts, 210 comments. A blog with users is left alone. */
export async function seedWhenEmpty(prisma: PrismaClient): Promise<void> {
  await prisma.$transaction(
    async (transaction) => {
      if ((await transaction.user.count()) === 0) await seed(transaction);
    },
    { timeout: 60_000 },
  );
}

async function seed(transaction: Transaction): Promise<void> {
  await transaction.user.createMany({ data: USERS });
  await transaction.profile.createMany({ data: PROFILES });
  await transaction.post.createMany({ data: numbers(42).map(post) });
  await transaction.comment.createMany({ data: numbers(210).map(comment) });
  await transaction.tag.createMany({ data: TAGS.map((name, index) => ({ id: index + 1, name })) });
  await tagPosts(transaction);
  await moveSequences(transaction);
}

/** Midday of the given day since New Year 2026. */
function day(number: number): Date {
  return new Date(Date.UTC(2026, 0, number, 12));
}

const USERS = [
  user(1, 'Ada Lovelace', 'ADMIN'),
  user(2, 'Grace Hopper', 'AUTHOR'),
  user(3, 'Alan Turing', 'AUTHOR'),
  user(4, 'Barbara Liskov', 'AUTHOR'),
  user(5, 'Edsger Dijkstra', 'READER'),
  user(6, 'Radia Perlman', 'READER'),
];

function user(id: number, name: string, role: 'ADMIN' | 'AUTHOR' | 'READER') {
  const [firstName = ''] = name.toLowerCase().split(' ');
  return { id, name, role, email: `${firstName}@blog.example`, passwordHash: `not-a-hash-${id}`, createdAt: day(id), updatedAt: day(id) };
}

const PROFILES: Prisma.ProfileCreateManyInput[] = [
  {
    id: 1,
    userId: 1,
    bio: 'Notes on the Analytical Engine.',
    birthday: new Date('1815-12-10'),
    languages: ['en', 'fr'],
    preferences: { theme: 'dark', digest: { weekly: true } },
    avatar: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  },
  {
    id: 2,
    userId: 2,
    bio: 'Compilers, and one moth.',
    website: 'https://grace.blog.example',
    birthday: new Date('1906-12-09'),
    languages: ['en'],
  },
  { id: 3, userId: 3, bio: 'Can machines think?', birthday: new Date('1912-06-23'), languages: ['en', 'de'] },
  { id: 4, userId: 4, website: 'https://barbara.blog.example', languages: ['en'], preferences: { theme: 'light' } },
];

const TAGS = ['typescript', 'nestjs', 'prisma', 'postgresql', 'api-design', 'testing', 'security', 'history'];

const SUBJECTS = ['Transactions', 'Pagination', 'Types', 'Indexes', 'Errors', 'Caching', 'Migrations'];
const ANGLES = ['A first look at', 'What nobody tells you about', 'Living with', 'The history of', 'In defence of', 'Ten years of'];

/** Posts 1 to 42: the authors 1 to 4 in turn; every sixth is a draft. */
function post(id: number): Prisma.PostCreateManyInput {
  const subject = SUBJECTS[(id - 1) % SUBJECTS.length] ?? '';
  const angle = ANGLES[(id - 1) % ANGLES.length] ?? '';
  const published = id % 6 !== 0;
  return {
    id,
    slug: `${angle} ${subject}`.toLowerCase().replaceAll(' ', '-'),
    title: `${angle} ${subject.toLowerCase()}`,
    content: `${subject}: where theory meets Monday morning. Part ${id} of a long series.`,
    published,
    publishedAt: published ? day(id + 1) : null,
    viewCount: published ? BigInt((id * 7919) % 5000) : 0n,
    rating: published ? (1 + ((id * 37) % 400) / 100).toFixed(2) : null,
    authorId: ((id - 1) % 4) + 1,
    createdAt: day(id),
    updatedAt: day(id),
  };
}

const REMARKS = [
  'Thank you, this helped.',
  'I am not so sure.',
  'We do it the other way round.',
  'More of this, please!',
  'How does it scale?',
];

/** Comments 1 to 210: five a post, by all users in turn; every twentieth by a deleted user. */
function comment(id: number): Prisma.CommentCreateManyInput {
  return {
    id,
    body: REMARKS[(id * 3) % REMARKS.length] ?? '',
    postId: ((id - 1) % 42) + 1,
    authorId: id % 20 === 0 ? null : (id % 6) + 1,
    createdAt: day(50 + (id % 30)),
  };
}

/** Every post gets a tag by its number, and most get a few more. */
async function tagPosts(transaction: Transaction): Promise<void> {
  for (const index of TAGS.keys()) {
    const posts = numbers(42).filter((id) => id % TAGS.length === index || id % (index + 3) === 0);
    await transaction.tag.update({ where: { id: index + 1 }, data: { posts: { connect: posts.map((id) => ({ id })) } } });
  }
}

/** The rows above came with their ids; the next ones get theirs from the database. */
async function moveSequences(transaction: Transaction): Promise<void> {
  for (const table of ['User', 'Profile', 'Post', 'Comment', 'Tag']) {
    await transaction.$executeRawUnsafe(`SELECT setval(pg_get_serial_sequence('"${table}"', 'id'), max(id)) FROM "${table}"`);
  }
}

/** 1 to `last`. */
function numbers(last: number): readonly number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}
