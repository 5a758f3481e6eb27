import {
  Body,
  Controller,
  Get,
  Inject,
  Module,
  NotFoundException,
  Param,
  ParseIntPipe,
  Patch,
  Post,
  Query,
  type Type,
} from '@nestjs/common';
import type { Contender } from '../contenders.js';
import type { Prisma, PrismaClient } from '../generated/prisma/client.js';
import { clientOf, documentedPolicies } from './clients.js';
import { listen } from './platform.js';

// What everyone writes who sends a BigInt.
Object.defineProperty(BigInt.prototype, 'toJSON', {
  value(this: bigint) {
    return this.toString();
  },
});

interface ListQuery {
  readonly take: string;
  readonly include?: string;
  /** Posts whose author has written the post with this id. */
  readonly authorOf?: string;
  /** The only author whose posts are read. */
  readonly tenant?: string;
}

const PRISMA = 'prisma';

/** The same rows and totals as NestJS controllers written by hand with Prisma. */
@Controller()
export class PostsController {
  constructor(@Inject(PRISMA) protected readonly prisma: PrismaClient) {}

  @Get('posts')
  async list(@Query() { take, include, authorOf, tenant }: ListQuery): Promise<object> {
    const where = {
      ...(authorOf !== undefined && { author: { posts: { some: { id: Number(authorOf) } } } }),
      ...(tenant !== undefined && { authorId: Number(tenant) }),
    };
    const [data, total] = await Promise.all([
      this.prisma.post.findMany({ where, take: Number(take), orderBy: { id: 'asc' }, ...included(include) }),
      this.prisma.post.count({ where }),
    ]);
    return { data, total };
  }

  @Get('all-posts')
  all(@Query() { take, include }: ListQuery): Promise<object> {
    return this.prisma.post.findMany({ take: Number(take), orderBy: { id: 'asc' }, ...included(include) });
  }

  @Get('posts-count')
  async count(): Promise<object> {
    return { count: await this.prisma.post.count() };
  }

  @Get('posts/:id')
  async one(@Param('id', ParseIntPipe) id: number): Promise<object> {
    const post = await this.prisma.post.findUnique({ where: { id } });
    if (post === null) throw new NotFoundException();
    return post;
  }

  @Post('posts')
  create(@Body() data: NewPost): Promise<object> {
    return this.write(({ post }) => post.create({ data: rowOf(data) }));
  }

  @Post('posts-batch')
  createAll(@Body() posts: readonly NewPost[]): Promise<object> {
    return this.prisma.$transaction(posts.map((data) => this.prisma.post.create({ data: rowOf(data) })));
  }

  @Patch('posts/:id')
  update(@Param('id', ParseIntPipe) id: number, @Body() data: { readonly content: string }): Promise<object> {
    return this.write(({ post }) => post.update({ where: { id }, data }));
  }

  protected write(work: (db: Prisma.TransactionClient) => Promise<object>): Promise<object> {
    return work(this.prisma);
  }
}

function included(name: string | undefined): { readonly include?: { readonly author?: true; readonly comments?: true } } {
  if (name === 'author') return { include: { author: true } };
  return name === 'comments' ? { include: { comments: true } } : {};
}

function rowOf({ viewCount, ...data }: NewPost): Prisma.PostUncheckedCreateInput {
  return { ...data, viewCount: BigInt(viewCount) };
}

interface NewPost {
  readonly title: string;
  readonly content: string;
  readonly viewCount: number;
  readonly rating: string;
  readonly authorId: number;
}

export function start(contender: Contender, controller: Type = PostsController): Promise<number> {
  const { client } = contender;
  const prisma = clientOf({ ...contender, client: client === 'policies' ? 'prisma' : client })();
  const useValue = client === 'policies' ? documentedPolicies(prisma) : prisma;
  @Module({ controllers: [controller], providers: [{ provide: PRISMA, useValue }] })
  class AppModule {}
  return listen(AppModule, contender);
}
