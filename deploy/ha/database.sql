-- Run once against the primary, as postgres. Only migrate uses this role, which creates those of the service.
create role dialplane_owner login createrole password '${OWNER_PASSWORD}';
create database dialplane owner dialplane_owner;
