create or replace function refuse_release_move() returns trigger language plpgsql as $$
begin
  raise exception 'A release that is % cannot become %.', old.step,
      new.step using errcode = 'integrity_constraint_violation';
end
$$;

-- The carrier is notified once, after the switches. Ended releases are final.
create or replace trigger releases_move_forward before update of step on releases
  for each row when ((old.step, new.step) not in (('unrouting', 'telling'), ('unrouting', 'failed'),
      ('telling', 'quarantined'),
    ('telling', 'failed'), ('quarantined', 'restoring'), ('restoring', 'quarantined'), ('restoring', 'restored'),
        ('quarantined', 'released')))
  execute function refuse_release_move();
