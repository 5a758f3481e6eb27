-- The tests' way back to the base seed: `seed.snapshot()` copies every table once, and writes `seed.restore()`, which brings the copies back.
-- Tables are filled in the order of their creation, so that each row finds the rows that it references.
CREATE SCHEMA seed;

CREATE VIEW seed.tables AS
  SELECT relname AS name, oid AS created FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace;

-- The next generated id is always the highest seeded one plus one.
CREATE FUNCTION seed.next_id("table" text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE found bigint;
BEGIN
  EXECUTE format('SELECT coalesce(max(id), 0) + 1 FROM public.%I', "table") INTO found;
  RETURN found;
END $$;

-- Statements without variables: the database plans them once for all.
CREATE FUNCTION seed.statements() RETURNS text LANGUAGE sql AS $$
  SELECT string_agg(format('DELETE FROM public.%I;', name), E'\n' ORDER BY created DESC)
    || string_agg(format('INSERT INTO public.%I SELECT * FROM seed.%I;', name, name), E'\n' ORDER BY created)
    || (
      SELECT string_agg(format('PERFORM setval(%L, %s, false);', pg_get_serial_sequence(format('public.%I', name), 'id'), seed.next_id(name)), E'\n')
      FROM seed.tables JOIN information_schema.columns ON table_schema = 'public' AND table_name = name AND column_name = 'id'
      WHERE pg_get_serial_sequence(format('public.%I', name), 'id') IS NOT NULL
    )
  FROM seed.tables;
$$;

CREATE FUNCTION seed.snapshot() RETURNS void LANGUAGE plpgsql AS $$
DECLARE item record;
BEGIN
  FOR item IN SELECT name FROM seed.tables LOOP
    EXECUTE format('CREATE TABLE seed.%I AS TABLE public.%I', item.name, item.name);
  END LOOP;
  EXECUTE format('CREATE FUNCTION seed.restore() RETURNS void LANGUAGE plpgsql AS $restore$ BEGIN %s END $restore$', seed.statements());
  -- Foreign keys hold in the copies as they are: to check each row anew takes longer than all the rest.
  IF current_setting('is_superuser')::boolean THEN
    ALTER FUNCTION seed.restore() SET session_replication_role = replica;
  END IF;
END $$;
