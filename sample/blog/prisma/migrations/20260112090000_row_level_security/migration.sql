-- Who may read and write what. The API runs every query as the role blog_app, with app.user_id naming the caller (getClient, in
-- src/app.module.ts); it is empty for an anonymous reader. The owner of the tables, who applies migrations and seeds, is not bound.
--
-- Each table has one policy and its triggers. A policy's USING says which rows exist for the caller, its WITH CHECK what a new row must be.
-- Left to itself, PostgreSQL passes over a row that the caller sees and may not change: "0 rows", which is no error, and not always told
-- from success. The triggers refuse such a change aloud, with the same error (42501) as WITH CHECK does.

-- Roles belong to the whole server: another database of it may have made this one.
DO $$
BEGIN
    CREATE ROLE blog_app NOLOGIN;
EXCEPTION
    WHEN duplicate_object OR unique_violation THEN NULL;
END
$$;

GRANT blog_app TO CURRENT_USER;

-- What the API may do at all.
GRANT SELECT, INSERT, UPDATE, DELETE ON "User", "Profile", "Post", "Comment", "Tag", "_PostToTag" TO blog_app;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO blog_app;

-- NULLIF: once a connection has had the setting, it is no longer missing but empty.
CREATE FUNCTION caller_id() RETURNS INTEGER
    LANGUAGE sql STABLE
    RETURN NULLIF(current_setting('app.user_id', true), '')::INTEGER;

-- SECURITY DEFINER: a policy of "User" that read "User" as blog_app would ask itself.
CREATE FUNCTION caller_role() RETURNS "Role"
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT
    AS $$ SELECT role FROM "User" WHERE id = caller_id() $$;

CREATE FUNCTION caller_sees_post(post_id INTEGER) RETURNS BOOLEAN
    LANGUAGE sql STABLE
    AS $$ SELECT EXISTS (SELECT FROM "Post" WHERE id = post_id) $$;

CREATE FUNCTION caller_owns_post(post_id INTEGER) RETURNS BOOLEAN
    LANGUAGE sql STABLE
    AS $$ SELECT EXISTS (SELECT FROM "Post" WHERE id = post_id AND "authorId" = caller_id()) $$;

CREATE FUNCTION refuse() RETURNS TRIGGER
    LANGUAGE plpgsql
    AS $$
BEGIN
    RAISE insufficient_privilege USING MESSAGE = format('%s on "%s": %s', lower(TG_OP), TG_TABLE_NAME, TG_NAME);
END
$$;

-- Users: everybody sees who writes here. A user edits themselves, but not their role; an admin manages users.
ALTER TABLE "User" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "anyone reads users" ON "User"
    USING (true)
    WITH CHECK (caller_role() = 'ADMIN' OR (id = caller_id() AND role = caller_role()));
CREATE TRIGGER "a user edits only themselves" BEFORE UPDATE ON "User" FOR EACH ROW
    WHEN (current_user = 'blog_app' AND OLD.id IS DISTINCT FROM caller_id() AND caller_role() IS DISTINCT FROM 'ADMIN')
    EXECUTE FUNCTION refuse();
CREATE TRIGGER "only an admin deletes users" BEFORE DELETE ON "User" FOR EACH ROW
    WHEN (current_user = 'blog_app' AND caller_role() IS DISTINCT FROM 'ADMIN')
    EXECUTE FUNCTION refuse();

-- Profiles: public, and their user's to write.
ALTER TABLE "Profile" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "anyone reads profiles" ON "Profile"
    USING (true)
    WITH CHECK ("userId" = caller_id());
CREATE TRIGGER "a user alone writes the own profile" BEFORE UPDATE OR DELETE ON "Profile" FOR EACH ROW
    WHEN (current_user = 'blog_app' AND OLD."userId" IS DISTINCT FROM caller_id())
    EXECUTE FUNCTION refuse();

-- Posts: anyone reads what is published; an author also reads, and alone writes, the own. An admin reads everything.
ALTER TABLE "Post" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "anyone reads published posts, an author also the own" ON "Post"
    USING (published OR "authorId" = caller_id() OR caller_role() = 'ADMIN')
    WITH CHECK ("authorId" = caller_id() AND caller_role() IN ('AUTHOR', 'ADMIN'));
CREATE TRIGGER "an author alone writes the own posts" BEFORE UPDATE OR DELETE ON "Post" FOR EACH ROW
    WHEN (current_user = 'blog_app' AND OLD."authorId" IS DISTINCT FROM caller_id())
    EXECUTE FUNCTION refuse();

-- Comments: seen where the post is, and there every user may write some; an admin removes any.
ALTER TABLE "Comment" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "who sees a post reads its comments" ON "Comment"
    USING (caller_sees_post("postId"))
    WITH CHECK ("authorId" = caller_id() AND caller_sees_post("postId"));
CREATE TRIGGER "a user edits only the own comments" BEFORE UPDATE ON "Comment" FOR EACH ROW
    WHEN (current_user = 'blog_app' AND OLD."authorId" IS DISTINCT FROM caller_id())
    EXECUTE FUNCTION refuse();
CREATE TRIGGER "a user or an admin deletes comments" BEFORE DELETE ON "Comment" FOR EACH ROW
    WHEN (current_user = 'blog_app' AND OLD."authorId" IS DISTINCT FROM caller_id() AND caller_role() IS DISTINCT FROM 'ADMIN')
    EXECUTE FUNCTION refuse();

-- Tags: authors make them and put them on their own posts; an admin tidies up.
ALTER TABLE "Tag" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "anyone reads tags" ON "Tag"
    USING (true)
    WITH CHECK (caller_role() IN ('AUTHOR', 'ADMIN'));
CREATE TRIGGER "only an admin changes tags" BEFORE UPDATE OR DELETE ON "Tag" FOR EACH ROW
    WHEN (current_user = 'blog_app' AND caller_role() IS DISTINCT FROM 'ADMIN')
    EXECUTE FUNCTION refuse();

ALTER TABLE "_PostToTag" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "who sees a post sees its tags" ON "_PostToTag"
    USING (caller_sees_post("A"))
    WITH CHECK (caller_owns_post("A"));
CREATE TRIGGER "an author alone tags the own posts" BEFORE UPDATE OR DELETE ON "_PostToTag" FOR EACH ROW
    WHEN (current_user = 'blog_app' AND NOT caller_owns_post(OLD."A"))
    EXECUTE FUNCTION refuse();
