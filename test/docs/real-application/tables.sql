-- What `prisma migrate` makes of schema.prisma: the models of docs/real-application.md.
CREATE TYPE "Role" AS ENUM ('MEMBER', 'ADMIN');

CREATE TABLE "Organization" (id SERIAL PRIMARY KEY, name TEXT NOT NULL);

CREATE TABLE "User" (id SERIAL PRIMARY KEY, email TEXT NOT NULL UNIQUE, name TEXT NOT NULL, "passwordHash" TEXT NOT NULL);

CREATE TABLE "Membership" (
    "organizationId" INTEGER NOT NULL REFERENCES "Organization" (id) ON DELETE RESTRICT ON UPDATE CASCADE,
    "userId" INTEGER NOT NULL REFERENCES "User" (id) ON DELETE RESTRICT ON UPDATE CASCADE,
    role "Role" NOT NULL DEFAULT 'MEMBER',
    PRIMARY KEY ("organizationId", "userId")
);

CREATE TABLE "Project" (
    id SERIAL PRIMARY KEY,
    name TEXT NOT NULL,
    "organizationId" INTEGER NOT NULL DEFAULT app_organization_id() REFERENCES "Organization" (id) ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE TABLE "Task" (
    id SERIAL PRIMARY KEY,
    title TEXT NOT NULL,
    done BOOLEAN NOT NULL DEFAULT false,
    "projectId" INTEGER NOT NULL REFERENCES "Project" (id) ON DELETE RESTRICT ON UPDATE CASCADE,
    "assigneeId" INTEGER REFERENCES "User" (id) ON DELETE SET NULL ON UPDATE CASCADE,
    "organizationId" INTEGER NOT NULL DEFAULT app_organization_id() REFERENCES "Organization" (id) ON DELETE RESTRICT ON UPDATE CASCADE,
    "createdById" INTEGER NOT NULL DEFAULT app_user_id() REFERENCES "User" (id) ON DELETE RESTRICT ON UPDATE CASCADE,
    "updatedById" INTEGER REFERENCES "User" (id) ON DELETE SET NULL ON UPDATE CASCADE
);

CREATE TABLE "AuditEntry" (
    id BIGSERIAL PRIMARY KEY,
    at TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "actorId" INTEGER,
    "organizationId" INTEGER,
    model TEXT NOT NULL,
    action TEXT NOT NULL,
    before JSONB,
    after JSONB
);

CREATE TABLE "OutboxMessage" (
    id BIGSERIAL PRIMARY KEY,
    topic TEXT NOT NULL,
    payload JSONB NOT NULL,
    "dueAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
