create or replace function refuse_job_move() returns trigger language plpgsql as $$
begin
  raise exception 'A job that is % cannot become %.', old.status,
      new.status using errcode = 'integrity_constraint_violation';
end
$$;

create or replace trigger jobs_move_forward before update on jobs
  for each row when (old.status in ('succeeded', 'partially_succeeded',
      'failed') or (new.status = 'queued' and old.status <> 'queued'))
  execute function refuse_job_move();
