Feature: What else happens in the same code

  Besides the four reports that R1 to R7 are taken from, the tracker has others
  about the same code, or about the same mistake in other code. Where a fix that
  one of the four reports suggests touches that code, it is tried too. That of
  report #3950 is right about the engine and leaves its migrations as they are;
  that of report #7424 reads the database again, and still decides before it
  writes.

  @N1
  Scenario Outline: N1, migrations of two units of work, <version>
    Given two units of work on one in-memory database without a schema, <version>
    When both units of work bring the schema up to date
    Then nobody gets an error
    And the migrations have run once

    @tdd_issue @tdd_issue_7420 @tdd_expected_fail
    Examples: broken
      | version      |
      | as reported  |
      | as suggested |

    @tdd_issue @tdd_issue_7420
    Examples: kept
      | version |
      | ours    |

  @N2
  Scenario Outline: N2, a commit that fails, <version>
    Given two instances of the plan service on one SQLite file, <version>
    And a plan at strategize/queued
    And a database that refuses to commit
    When one instance starts the plan
    And another lists the plans and then reads the plan
    Then nobody sees the plan but at strategize/queued

    @tdd_issue @tdd_issue_7137 @tdd_expected_fail
    Examples: broken
      | version      |
      | as reported  |
      | as suggested |

    @tdd_issue @tdd_issue_7137
    Examples: kept
      | version |
      | ours    |

  @N3
  Scenario Outline: N3, two workers and one plan, <version>
    Given two instances of the plan service on one SQLite file, <version>
    And a plan at execute/queued
    When both workers execute the plan
    Then the work is done once
    And the other is told what state it lost to
    And the work can be done again

    @tdd_issue @tdd_issue_7989 @tdd_expected_fail
    Examples: broken
      | version      |
      | as reported  |
      | as suggested |

    @tdd_issue @tdd_issue_7989
    Examples: kept
      | version |
      | ours    |

  @N4
  Scenario Outline: N4, two owners and <what>, <version>
    Given two lock services on one SQLite file, <version>
    And <what>
    When two owners acquire the resource
    Then exactly one succeeds
    And the other is told who holds the resource

    @tdd_issue @tdd_issue_7406 @tdd_expected_fail
    Examples: broken
      | version     | what                             |
      | as reported | a lock that has expired          |
      | as reported | a resource that was never locked |

    @tdd_issue @tdd_issue_7406
    Examples: kept
      | version | what                             |
      | ours    | a lock that has expired          |
      | ours    | a resource that was never locked |

  @N5
  Scenario Outline: N5, two workers and one job, <version>
    Given two job queues on one SQLite file, <version>
    And a job
    When two workers look for a job
    Then the work is done once
    And nobody gets an error

    @tdd_issue @tdd_issue_7357 @tdd_expected_fail
    Examples: broken
      | version     |
      | as reported |

    @tdd_issue @tdd_issue_7357
    Examples: kept
      | version |
      | ours    |

  @N6
  Scenario Outline: N6, the failures of two subplans, <version>
    Given a plan with subplans, <version>
    When two workers note the failure of a subplan
    Then every failure is among the plan's error details

    @tdd_issue @tdd_issue_9081 @tdd_expected_fail
    Examples: broken
      | version     |
      | as reported |

    @tdd_issue @tdd_issue_9081
    Examples: kept
      | version |
      | ours    |

  @N7
  Scenario Outline: N7, a changeset of another instance, <version>
    Given two instances of the plan service on one SQLite file, <version>
    When one instance starts a changeset
    And another lists the changesets
    And after that the second instance records a change
    Then every instance knows the changesets and the changes

    @tdd_issue @tdd_issue_7731 @tdd_expected_fail
    Examples: broken
      | version     |
      | as reported |

    @tdd_issue @tdd_issue_7731
    Examples: kept
      | version |
      | ours    |

  @N8
  Scenario Outline: N8, several engines on one file, <version>
    Given two instances of the plan service on one SQLite file, <version>
    When one instance makes a plan
    And another lists the plans and then makes a plan
    Then nobody gets an error
    And two more plans are there

    @tdd_issue @tdd_issue_5456 @tdd_expected_fail
    Examples: broken
      | version     |
      | as reported |

    @tdd_issue @tdd_issue_5456
    Examples: kept
      | version |
      | ours    |

  @N9
  Scenario Outline: N9, subplans that fail fast, <version>
    Given a plan with subplans, <version>
    When one worker runs the subplans
    Then what never started is cancelled, and only what is complete is merged

    @tdd_issue @tdd_issue_7582 @tdd_expected_fail
    Examples: broken
      | version     |
      | as reported |

    @tdd_issue @tdd_issue_7582
    Examples: kept
      | version |
      | ours    |

  @N9
  Scenario: the parts of a plan are merged in their order
    Given a plan service in memory
    And a plan at strategize/queued
    When one worker runs the parts of the plan
    Then what the parts of a plan change is merged in their order

  @N9
  Scenario: the parts of two plans have the same names
    Given a plan service in memory
    And these plans:
      | name  | at                |
      | cloth | strategize/queued |
      | rug   | strategize/queued |
    When one worker runs the parts of the plan "cloth" and another runs the parts of the plan "rug"
    Then what the parts of a plan change is merged in their order

  @N10
  Scenario Outline: N10, a worker that hangs, <version>
    Given two instances of the plan service on one SQLite file, <version>
    And a plan at strategize/queued
    When one worker hangs in the middle of the plan
    And after that another worker takes the plan over
    And after that both workers complete the plan
    Then the plan is taken over
    And who hung is told who has the plan

    @tdd_issue @tdd_issue_4372 @tdd_expected_fail
    Examples: broken
      | version      |
      | as reported  |
      | as suggested |

    @tdd_issue @tdd_issue_4372
    Examples: kept
      | version |
      | ours    |

  @N10
  Scenario: a claim that was given back is not kept
    Given two instances of the plan service on one SQLite file
    And a plan at strategize/queued
    When one worker claims the plan and then gives it back and then keeps it
    And another claims the plan and then keeps it
    Then a claim is kept by who has it, and by nobody else

  @N10
  Scenario: a claim is kept by one of two
    Given two instances of the plan service on one SQLite file
    And a plan at strategize/queued
    When two workers claim the plan and then keep it
    Then a claim is kept by who has it, and by nobody else

  @N10
  Scenario: one of several claims a plan
    Given three instances of the plan service on one SQLite file
    And a plan at strategize/queued
    When three workers claim the plan
    Then exactly one succeeds
    And the others are told who has the plan

  @N10
  Scenario: a worker's claim is what its work goes by
    Given two instances of the plan service on one SQLite file
    And a plan at strategize/queued
    When one worker claims the plan and then starts it
    And after that another claims the plan
    Then exactly two succeed
    And the others are told who has the plan

  @N10
  Scenario: a claim that is given back twice
    Given two instances of the plan service on one SQLite file
    And a plan at strategize/queued
    When one worker claims the plan and then gives it back and then gives it back
    And another claims the plan and then keeps it
    Then a claim is kept by who has it, and by nobody else

  @N7
  Scenario: changes of two instances stay where they are
    Given two instances of the plan service on one SQLite file
    And an open changeset
    When two recorders record a change while another lists the changesets
    Then a change stays in its place among all
