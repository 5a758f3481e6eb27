import type { Prisma, PrismaClient } from './generated/prisma/client.js';

/** Fills an empty blog with the rows of `sample/blog`: 6 users, 4 profiles, 8 tags, 42 posts, 210 comments. A blog with users is left alone. */
export async function seedWhenEmpty(prisma: PrismaClient): Promise<void> {
  if ((await prisma.user.count()) > 0) return;
  await prisma.$transaction([
    prisma.user.createMany({ data: USERS.map(user) }),
    prisma.profile.createMany({ data: PROFILES }),
    prisma.post.createMany({ data: numbers(42).map(post) }),
    prisma.comment.createMany({ data: numbers(210).map(comment) }),
    ...TAGS.map((name, index) => prisma.tag.create({ data: { id: index + 1, name, posts: { connect: postsTagged(index) } } })),
  ]);
}

/** Midday of the given day since New Year 2026. */
function day(number: number): Date {
  return new Date(Date.UTC(2026, 0, number, 12));
}

const USERS = [
  ['Ada Lovelace', 'ADMIN'],
  ['Grace Hopper', 'AUTHOR'],
  ['Alan Turing', 'AUTHOR'],
  ['Barbara Liskov', 'AUTHOR'],
  ['Edsger Dijkstra', 'READER'],
  ['Radia Perlman', 'READER'],
] as const;

function user([name, role]: (typeof USERS)[number], index: number): Prisma.UserCreateManyInput {
  const id = index + 1;
  const [firstName = ''] = name.toLowerCase().split(' ');
  return { id, name, role, email: `${firstName}@blog.example`, passwordHash: `not-a-hash-${id}`, createdAt: day(id), updatedAt: day(id) };
}

const PROFILES: Prisma.ProfileCreateManyInput[] = [
  {
    id: 1,
    userId: 1,
    bio: 'Notes on the Analytical Engine.',
    birthday: new Date('1815-12-10'),
    preferences: { theme: 'dark', digest: { weekly: true } },
    avatar: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  },
  { id: 2, userId: 2, bio: 'Compilers, and one moth.', website: 'https://grace.blog.example', birthday: new Date('1906-12-09') },
  { id: 3, userId: 3, bio: 'Can machines think?', birthday: new Date('1912-06-23') },
  { id: 4, userId: 4, website: 'https://barbara.blog.example', preferences: { theme: 'light' } },
];

const TAGS = ['typescript', 'nestjs', 'prisma', 'sqlite', 'api-design', 'testing', 'security', 'history'];

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
function postsTagged(index: number): { id: number }[] {
  const ids = numbers(42).filter((id) => id % TAGS.length === index || id % (index + 3) === 0);
  return ids.map((id) => ({ id }));
}

/** 1 to `last`. */
function numbers(last: number): readonly number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}
